import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usersThings } from "../git/support.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { newPlace, type Place, plait, sh } from "./runs.ts";
import { writeFiles } from "./support.ts";

const specFor = (script: string) => `---
tech_spec_id: TS-0042
title: Bakery
status: DRAFT
---
# Bakery

Bread is baked from dough. ${scriptMark(script)}

- R1: Bread has a weight.
`;

const task = (n: number, component: string, create: readonly string[], boundary: readonly string[]) => ({
  id: `task-00${n}`,
  title: `The ${component}`,
  component,
  wave: 1,
  deps: [],
  agent: "general-purpose",
  skills: [],
  contracts: [],
  covers: ["R1"],
  operations: [],
  scope: { create, modify: [], boundary },
  objective: `There is ${component}.`,
  requirements: [`${component} has a weight`],
  checklist: ["pytest passes"],
  hours: 3,
  dependencies: { python: [], node: [] },
});

const none = { add: [], upgrade: [], remove: [], add_dev: [] };
const design = (second: string) => ({
  manifest: { technology: "python", python_version: null, dependencies: { python: none, node: none } },
  context_summary: "A bakery. Tests: pytest.",
  architecture_summary: "Dough, then bread.",
  contracts: { types: "class Dough:\n    weight: int\n", api_schema: null },
  waves: [{ number: 1, validation: "true" }],
  out_of_scope: [],
  tasks: [task(1, "dough", ["src/dough.py"], ["src/bread.py"]), task(2, "bread", [second], ["a.txt"])],
});

const answer = (second: string) => ({ tool: "StructuredOutput", input: design(second) });

const keep = {
  manifest: null,
  context_summary: null,
  architecture_summary: null,
  waves: null,
  out_of_scope: null,
};
const patch = {
  tool: "StructuredOutput",
  input: {
    ...keep,
    contracts: { types: null, api_schema: null },
    tasks: [task(2, "bread", ["src/bread.py"], ["a.txt"])],
    remove_tasks: [],
  },
};

/** What is left of questions: places to look around in, and processes. */
const left = ({ home }: Place) => [
  ...readdirSync(join(home.folder, ".local/state/plait/questions")),
  ...processesIn(home.folder),
];

function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOME=${folder}\0`);
    } catch {
      return false; // no process, gone, or not ours
    }
  });
}

describeClaude("plait spec decompose with the real Claude", () => {
  test("looks around, is told what overlaps, mends it in the same conversation, and the folder is made (I3, I8, I13)", async () => {
    const place = await newPlace({
      design: [{ read: "a.txt" }, answer("src/dough.py"), patch],
    });
    await writeFiles(place.repo, { "spec.md": specFor("design") });
    const before = usersThings({ root: "", repo: place.repo, env: place.home.env });
    const made = await plait(place, "spec", "decompose", "spec.md", "-y", "--budget-usd", "5");
    expect(made).toMatchObject({ code: 0 });
    for (const text of ["TS-0042 is a draft", "fixing 1 error in the design, fix 1 of 3"])
      expect(made.stderr).toContain(text);
    expect(made.stdout).toMatch(/2 tasks in 1 wave, 6 h of work[\s\S]+src\/bread\.py/);
    expect(made.stdout).toMatch(/cost {2}claude, asked 2 times, \$0\.\d\d, 300 tokens in, 30 out/);

    const folder = "parallel/TS-0042-bakery";
    expect(sh(place, `find ${folder} -type f | sort`).split("\n")).toEqual(
      [
        ...[".gitignore", "architecture.md", "context.md", "contracts/types.py", "coverage.md"],
        "design.json",
        ...["manifest.json", "prompts/agent-prompts.md", "prompts/task-001.txt", "prompts/task-002.txt"],
        ...["task-graph.md", "tasks/task-001-dough.md", "tasks/task-002-bread.md"],
      ].map((file) => `${folder}/${file}`),
    );
    expect(JSON.parse(sh(place, `cat ${folder}/design.json`))).toEqual(design("src/bread.py"));
    expect(await plait(place, "validate", folder)).toMatchObject({ code: 0 });

    const [first, , third] = place.server.requestsOf("design");
    expect(place.server.requestsOf("design")).toHaveLength(3);
    expect(first?.body?.tools?.map(({ name }) => name)).toContain("StructuredOutput");
    expect(first?.body?.tools?.map(({ name }) => name)).not.toContain("Write");
    const sent = JSON.stringify(third?.body?.messages);
    for (const text of ["Cut TS-0042 into tasks", "created-twice", "tasks[1] (task-002).scope.create[0]"])
      expect(sent).toContain(text);
    // Only who is really there is offered: no plugin is installed here.
    expect(sent).toContain("- `general-purpose`");
    expect(sent).not.toContain("- `python-experts:");

    sh(place, `rm -r ${folder.split("/")[0]}`);
    expect(usersThings({ root: "", repo: place.repo, env: place.home.env })).toEqual(before);
    expect(left(place)).toEqual([]);
    const said = sh(place, "cat .git/plait/spec/*/*");
    expect(said).toContain("Bread is baked from dough.");
    expect(said).not.toContain("sk-ant-api03-not-a-key");
  });
});

const judged = (sentence: string) => ({
  tool: "StructuredOutput",
  input: {
    sections: [
      {
        section: "The whole document",
        status: "deviates",
        sentences: [sentence],
        text: "Bread has no dough.",
        places: [{ file: "src/bread.py", line: 1 }],
      },
    ],
  },
});

describeClaude("plait spec integrate with the real Claude", () => {
  test("holds it to the sentences of the spec, and reports its review (I3, I8)", async () => {
    const place = await newPlace({
      judge: [{ read: "src/bread.py" }, judged("Bread is air."), judged("Bread is baked from dough.")],
    });
    await writeFiles(place.repo, {
      "spec.md": specFor("judge"),
      "design.json": JSON.stringify(design("src/bread.py")),
    });
    expect(
      await plait(place, "spec", "decompose", "spec.md", "--from-file", "design.json", "-y"),
    ).toMatchObject({ code: 0 });
    sh(place, "git add -A; git commit -q -m plan; mkdir src");
    for (const [task, file, text] of [
      ["task-001", "dough", "class Dough:\n    weight: int\n"],
      ["task-002", "bread", "class Bread:\n    weight: int\n"],
    ]) {
      await writeFiles(place.repo, { [`src/${file}.py`]: text as string });
      sh(place, `git add -A; git commit -q -m ${file} -m 'Plait-Task: ${task}'`);
    }
    const before = usersThings({ root: "", repo: place.repo, env: place.home.env });
    const said = await plait(
      place,
      "spec",
      "integrate",
      "--agent",
      "claude",
      "--no-checks",
      "--out",
      "../out",
    );
    expect(said.stdout).toContain(
      "src/bread.py:1: should fix[spec-deviates]: The whole document: claude found a deviation: Bread has no dough",
    );
    expect(said.stdout).toMatch(/Tech Spec Compliance {2}0 of 1 section met, reviewed by claude/);
    expect(said.code).toBe(0);
    const report = sh(place, "cat ../out/integration-report.md");
    expect(report).toContain("Reviewed by claude; an opinion, never blocking.");
    expect(report).toContain("line 8: “Bread is baked from dough.”");
    const requests = place.server.requestsOf("judge");
    expect(requests).toHaveLength(3);
    expect(JSON.stringify(requests[2]?.body?.messages)).toContain("Bread is air.");
    expect(usersThings({ root: "", repo: place.repo, env: place.home.env })).toEqual(before);
    expect(left(place)).toEqual([]);
  });
});
