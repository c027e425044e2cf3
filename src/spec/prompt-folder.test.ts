import { describe, expect, test } from "vitest";
import { caps } from "../../test/formats/caps.ts";
import { filesOf } from "../../test/formats/read-as-plan.ts";
import { promptFiles } from "./prompt-files.ts";
import { readPromptFolder } from "./prompt-folder.ts";

const FOLDER = "parallel/TS-1";

const head = (id: string) => `---
id: ${id}
component: users
wave: 1
deps: []
agent: py:dev
contracts: [contracts/types.ts]
---
`;

const older = `${head("task-001")}
# task-001: Users

## Scope

**CREATE**:
- \`src/users.ts\` - the model
- \`src/users.test.ts\`

**BOUNDARY**:
- \`src/orders.ts\` - of task-002

## Requirements

1. A user has a name:
   - given
     - and family

\`\`\`python
# no heading
## none either
class User: ...
\`\`\`

Nobody is called \`null\`.

## Checklist
* [ ] tests pass,
      all of them
* [x] linted

## Notes
Ask Ann.
`;

const whole: { readonly [path: string]: string } = {
  "manifest.json": JSON.stringify({
    tech_spec_id: "TS-1",
    waves: [{ number: 1, tasks: [{ id: "task-001", agent: "py:dev" }] }],
  }),
  "context.md": "# Context\n",
  "contracts/types.ts": "export type A = 1;\n",
  "tasks/task-001-users.md": older,
  "../agent-skills-mapping.yaml": "agents: { 'py:dev': { skills: [style, 'other:lint'] } }\n",
};

async function read(changed: { readonly [path: string]: string | null }) {
  const kept = Object.entries({ ...whole, ...changed }).filter(([, text]) => text !== null);
  const input = { kind: "folder" as const, path: FOLDER, names: [] };
  const found = await readPromptFolder(
    input,
    caps,
    filesOf(input, Object.fromEntries(kept as [string, string][])),
  );
  const said = found.diagnostics.map(
    ({ severity, code, message, at }) =>
      `${at?.file.replace(`${FOLDER}/`, "")}:${at?.start.line} ${severity} ${code}: ${message}`,
  );
  const files = found.folder === null ? null : promptFiles(found.folder, "2026-01-15T10:00:00.000Z");
  return { said, files, prompt: files?.[0]?.text ?? "" };
}

const section = (prompt: string, name: string) =>
  new RegExp(`=== ${name} ===\n([^]*?)\n\n===`).exec(prompt)?.[1];

describe("prompts of an artefact folder", () => {
  test("have requirements and checklist word by word, and the scope of older files", async () => {
    const { prompt, said } = await read({});
    const verbatim = older.slice(older.indexOf("1. A user"), older.indexOf("\n\n## Checklist"));
    expect(section(prompt, "IMPLEMENTATION REQUIREMENTS")).toBe(verbatim);
    expect(section(prompt, "ACCEPTANCE CRITERIA")).toBe("* [ ] tests pass,\n      all of them\n* [x] linted");
    expect(section(prompt, "FILES TO CREATE")).toBe("- src/users.ts\n- src/users.test.ts");
    expect(section(prompt, "DO NOT MODIFY")).toBe("- src/orders.ts");
    expect(section(prompt, "OBJECTIVE")).toBe("Users");
    expect(section(prompt, "CONTRACTS")).toBe("- parallel/TS-1/contracts/types.ts");
    expect(said).toEqual([
      "tasks/task-001-users.md:40 warning task-section-unused: the section `Notes` is not part of the prompt",
    ]);
  });

  test("have the objective that stands below the title, or in a section of its own", async () => {
    const below = older.replace(
      "# task-001: Users\n",
      "# task-001: Users\n\nUsers\ncan be found.\n\n- by name\n",
    );
    const told = await read({ "tasks/task-001-users.md": below });
    expect(section(told.prompt, "OBJECTIVE")).toBe("Users\ncan be found.\n\n- by name");
    const own = await read({ "tasks/task-001-users.md": `${below}\n## Objective:\nAll of it.\n` });
    expect(section(own.prompt, "OBJECTIVE")).toBe("All of it.");
  });

  test("have the title without the id, in whatever way that is written", async () => {
    for (const heading of ["# Task 001: Users", "# task-001 - Users", "# TASK #1 – Users"]) {
      const task = older.replace("# task-001: Users", heading);
      const { prompt } = await read({ "tasks/task-001-users.md": task });
      expect(prompt.split("\n")[0]).toBe("TASK-task-001: Users");
    }
    const own = older.replace("# task-001: Users", "# Task queue: workers");
    const { prompt } = await read({ "tasks/task-001-users.md": own });
    expect(prompt.split("\n")[0]).toBe("TASK-task-001: Task queue: workers");
  });

  test("have the skills of the mapping file where the task names none", async () => {
    const { prompt } = await read({});
    expect(section(prompt, "REQUIRED SKILLS")).toContain("- py:style\n- other:lint\n");
    const own = await read({ "tasks/task-001-users.md": older.replace("agent:", "skills: [own]\nagent:") });
    expect(section(own.prompt, "REQUIRED SKILLS")).toContain("- py:own\n");
  });

  test("are made from manifests of the generation before, too", async () => {
    const manifest = JSON.stringify({
      version: "1.0.0",
      tech_spec: { id: "TS-1", title: "Shop" },
      tasks: { total: 1, files: ["tasks/task-001-users.md"] },
    });
    const [now, before] = [await read({}), await read({ "manifest.json": manifest })];
    expect(before.files).toEqual(now.files);
  });

  test("name a contract that is missing, and say so", async () => {
    const task = older.replace("[contracts/types.ts]", "[contracts/gone.ts]");
    const { prompt, said } = await read({ "tasks/task-001-users.md": task });
    expect(section(prompt, "CONTRACTS")).toBe("- contracts/gone.ts (missing when this was written)");
    expect(said[0]).toBe(
      "tasks/task-001-users.md:7 warning contract-missing: `task-001` lists the contract `contracts/gone.ts`, which does not exist",
    );
  });

  test("contracts are not missed where no task names one", async () => {
    const without = older.replace("contracts: [contracts/types.ts]", "contracts: []");
    const { files, said } = await read({ "contracts/types.ts": null, "tasks/task-001-users.md": without });
    expect([files?.length, said.filter((one) => one.includes("contracts"))]).toEqual([2, []]);
  });

  test("a task file that the manifest does not have is skipped, and told", async () => {
    const { files, said } = await read({ "tasks/task-009-old.md": head("task-009") });
    expect(files?.map(({ path }) => path)).toEqual(["prompts/task-001.txt", "prompts/agent-prompts.md"]);
    expect(said.join("\n")).toContain("warning spec-unused");
  });
});

describe("what prompts cannot be made from", () => {
  const cases: readonly (readonly [string, { readonly [path: string]: string | null }, readonly string[]])[] =
    [
      [
        "a folder without a manifest",
        { "manifest.json": null },
        ["parallel/TS-1:1 error manifest-missing: manifest.json does not exist"],
      ],
      [
        "no context, no contracts",
        { "context.md": " \n", "contracts/types.ts": null },
        [
          "context.md:1 error context-missing: context.md is empty",
          "manifest.json:1 error contracts-missing: the folder `contracts/` is empty",
        ],
      ],
      [
        "a task without a file",
        { "tasks/task-001-users.md": null },
        [
          "manifest.json:1 error spec-missing: `task-001` has no task file, so its scope and needs are unknown",
        ],
      ],
      [
        "a task file without its sections",
        {
          "tasks/task-001-users.md": `${head("task-001")}# task-001: Users\n\n## Requirements\n\n## Output Format (REQUIRED)\nJSON\n`,
        },
        [
          "tasks/task-001-users.md:2 error task-section-missing: the task file `tasks/task-001-users.md` has no section `## Scope`",
          "tasks/task-001-users.md:11 error task-section-missing: the section `## Requirements` is empty",
          "tasks/task-001-users.md:2 error task-section-missing: the task file `tasks/task-001-users.md` has no section `## Checklist`",
        ],
      ],
    ];
  test.each(cases)("%s", async (_, changed, expected) => {
    const { said, files } = await read(changed);
    expect(files).toBeNull();
    expect(said.filter((one) => one.includes(" error "))).toEqual(expected);
  });

  test("two tasks with one prompt", async () => {
    const tasks = ["task-001", "task-002"].map((id) => ({
      id,
      agent: "py:dev",
      prompt_file: "prompts/x.txt",
    }));
    const { said, files } = await read({
      "manifest.json": JSON.stringify({ tech_spec_id: "TS-1", waves: [{ number: 1, tasks }] }),
      "tasks/task-002.md": older.replaceAll("task-001", "task-002"),
    });
    expect(files).toBeNull();
    expect(said.join("\n")).toContain(
      "the prompt path `prompts/x.txt` of `task-002` is also used by `task-001`",
    );
  });

  test.each(["../task.txt", "p/task.txt", "prompts/agent-prompts.md", "prompts/a/b.txt", "prompts/.x"])(
    "a prompt that should lie at %s",
    async (place) => {
      const manifest = (whole["manifest.json"] ?? "").replace(
        '"py:dev"',
        `"py:dev","prompt_file":"${place}"`,
      );
      const { said, files } = await read({ "manifest.json": manifest });
      expect(files).toBeNull();
      expect(said.join("\n")).toContain(
        `error prompt-place: the prompt path \`${place}\` of \`task-001\` is `,
      );
    },
  );
});
