import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSections } from "../../src/spec/tech-spec/new-text.ts";
import { main } from "../cli/plait.ts";
import { openTerminal, withTmux } from "../cli/tmux/tmux.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { newPlace, sh } from "./runs.ts";

const task = (n: number, component: string, create: readonly string[]) => ({
  ...{ id: `task-00${n}`, title: `The ${component}`, component, wave: 1, deps: [], agent: "general-purpose" },
  ...{
    skills: [],
    contracts: [],
    covers: ["R1"],
    operations: [],
    scope: { create, modify: [], boundary: ["a.txt"] },
  },
  ...{ objective: `There is ${component}.`, requirements: [`Bake ${component}. ${scriptMark(component)}`] },
  ...{ checklist: ["It is there"], hours: 3, dependencies: { python: [], node: [] } },
});

const none = { add: [], upgrade: [], remove: [], add_dev: [] };
const design = {
  manifest: { technology: "python", python_version: null, dependencies: { python: none, node: none } },
  context_summary: "A bakery.",
  architecture_summary: "Dough, bread and crust.",
  contracts: { types: null, api_schema: null },
  waves: [{ number: 1, validation: "true" }],
  out_of_scope: [],
  tasks: [
    ...[task(1, "dough", ["src/dough.py"]), task(2, "bread", ["src/bread.py"])],
    task(3, "crust", ["src/crust.py"]),
  ],
};

/** Bread and crust by one of them: what is the same is not said again. */
const merged = {
  ...{ manifest: null, context_summary: null, architecture_summary: null, waves: null, out_of_scope: null },
  contracts: { types: null, api_schema: null },
  remove_tasks: ["task-003"],
  tasks: [task(2, "bread", ["src/bread.py", "src/crust.py"])],
};

const [first, ...others] = listSections().map(({ name }) => `## ${name}\n\nBread.`);
const body = (word: string) =>
  `${first}\n\n${word} ${scriptMark("design")}\n\n- R1: There is bread.\n\n${others.join("\n\n")}`;
const answer = (input: object) => ({ tool: "StructuredOutput", input });
const baked = (...names: readonly string[]) => [
  ...names.map((name) => ({
    write: { path: `src/${name}.py`, content: `class ${name.toUpperCase()}: ...\n` },
  })),
  { write: { path: ".claude-task-complete", content: "done\n" } },
  { text: "Done." },
];

const CHECKS = 'integrate:\n  checks:\n    - { name: tests, run: "true" }\n';

describeClaude("plait spec go with the real Claude", () => {
  test.runIf(withTmux.isThere)(
    "a person corrects the draft and the design in their own conversations, and it lands",
    async () => {
      const place = await newPlace({
        draft: [
          { read: "a.txt" },
          answer({ title: "Bakery", body: body("Long.") }),
          answer({ title: "Bakery", body: body("Short.") }),
        ],
        design: [answer(design), answer(merged)],
        dough: baked("dough"),
        bread: baked("bread", "crust"),
      });
      const { repo, home, server } = place;
      mkdirSync(join(repo, "docs"));
      writeFileSync(join(repo, "docs/prd.md"), `# Bakery\n\nBread is sold. ${scriptMark("draft")}\n`);
      writeFileSync(join(repo, "plait.config.yaml"), CHECKS);
      sh(place, "git add -A; git commit -q -m prd");
      const argv = [process.execPath, main, "spec", "go", "docs/prd.md", "--allow-root"];
      const terminal = await openTerminal({ columns: 110, rows: 200, cwd: repo, env: home.env, argv });

      await terminal.seen("Approve tech-specs/draft/TS-0001-bakery.md?");
      await terminal.press("Keep it short, please", "Enter");
      await terminal.seen(/Short\.[\s\S]*Approve/);
      await terminal.press("y", "Enter");
      await terminal.seen(/3 tasks in 1 wave[\s\S]*Write parallel\/TS-0001-bakery/);
      await terminal.press("merge 2 and 3", "Enter");
      await terminal.seen(/2 tasks in 1 wave[\s\S]*Write parallel\/TS-0001-bakery/);
      await terminal.press("y", "Enter");
      for (const text of ["Committed ", "what landed", "TS-0001: landed and integrated"])
        await terminal.seen(text);

      const drafts = [...server.requestsOf("draft"), ...server.requestsOf("design")];
      const sent = drafts.map(({ body: one }) => JSON.stringify(one?.messages));
      expect(sent).toHaveLength(5);
      // Each correction went into the conversation that it is about, after what was said there.
      expect(sent[2]).toMatch(/Write a tech spec[\s\S]+<correction>\\nKeep it short, please\\n/);
      expect(sent[4]).toMatch(/Cut TS-0001 into tasks[\s\S]+<correction>\\nmerge 2 and 3\\n/);
      for (const talk of [sent[2], sent[4]]) expect(talk).not.toContain("so far");
      expect(sh(place, "git ls-files src tech-specs").split("\n")).toEqual([
        ...["src/bread.py", "src/crust.py", "src/dough.py", "tech-specs/reference/TS-0001-bakery.md"],
      ]);
      expect(
        sh(place, "git log --format=%s")
          .split("\n")
          .filter((line) => line.startsWith("TS-")),
      ).toEqual([...["TS-0001: integrated", "TS-0001: plan"]]);
    },
  );
});
