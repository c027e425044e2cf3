import { describe, expect, test } from "vitest";
import { check, type Files, manifest, taskFile, whole } from "../../../test/formats/cpo-folder.ts";

/** Each thing that may be wrong with an artefact folder: one finding, in the file and at the place where it is. */

const text = (path: string) => whole[path] as string;
const changed = (path: string, from: string | RegExp, to: string): Files => ({
  [path]: text(path).replace(from, to),
});
const inManifest = (from: string | RegExp, to: string) => changed("manifest.json", from, to);
const inFirst = (from: string | RegExp, to: string) => changed("tasks/task-001-users.md", from, to);
const scoped = (scope: string): Files => ({
  "tasks/task-001-users.md": taskFile({ id: "task-001-users", wave: 1, scope }),
});

const cases: Readonly<Record<string, readonly [Files, ...string[]]>> = {
  "no tech_spec_id": [
    inManifest('  "tech_spec_id": "TS-1",\n', ""),
    "manifest.json:1:1 error missing-key: missing key `tech_spec_id` at the top level of the manifest -> add `tech_spec_id`: a string",
  ],
  "no waves": [
    { "manifest.json": '{\n  "tech_spec_id": "TS-1"\n}' },
    "manifest.json:1:1 error missing-key: missing key `waves` at the top level of the manifest -> add `waves`: a list",
  ],
  "a misspelt key": [
    inManifest('"tasks"', '"task"'),
    "manifest.json:6:7 error unknown-key: unknown key `task` in a wave -> did you mean `tasks`?",
  ],
  "skills in the manifest": [
    inManifest('"tech_spec_id"', '"skills": [],\n  "tech_spec_id"'),
    "manifest.json:2:3 error unknown-key: unknown key `skills` at the top level of the manifest -> move `skills` to the task files, or to agent-skills-mapping.yaml",
  ],
  "an unknown version": [
    inManifest('"tech_spec_id"', '"version": "2.0.0",\n  "tech_spec_id"'),
    "manifest.json:2:14 error unsupported-version: unsupported manifest version `2.0.0`; plait reads `1.0.0`, or none -> delete `version` if the manifest has tech_spec_id and waves",
  ],
  "broken JSON": [
    inManifest('"TS-1",', '"TS-1"'),
    "manifest.json:3:3 error json-syntax: missing , between flow map items",
  ],
  "a wave number that is none": [
    inManifest('"number": 1', '"number": 0'),
    "manifest.json:5:17 error bad-value: number must be a whole number from 1, not 0",
  ],
  "two waves of one number": [
    inManifest('"number": 2', '"number": 1'),
    "manifest.json:18:17 error wave-order: two waves have the number 1 -> merge the two waves, or change one `number`",
    "tasks/task-003-orders.md:4:7 error spec-mismatch: the task file of `task-003-orders` sets wave 2, but the manifest sets wave 1 -> set `wave: 1` in the task file",
    "tasks/task-003-orders.md:5:8 error needs-later-wave: `task-003-orders` needs `task-001-users`, but both are in wave 1 -> move `task-003-orders`: `wave: 2`",
  ],
  "a gap between waves": [
    {
      ...inManifest('"number": 2', '"number": 3'),
      ...changed("tasks/task-003-orders.md", "wave: 2", "wave: 3"),
    },
    'manifest.json:18:17 warning wave-order: wave 3 follows wave 1; expected wave 2 -> set `"number": 2`, or add the missing wave',
  ],
  "no tasks at all": [
    {
      "manifest.json": manifest([]),
      ...Object.fromEntries(
        ["001-users", "002-items", "003-orders"].map((name) => [`tasks/task-${name}.md`, null]),
      ),
    },
    'manifest.json:3:12 error no-tasks: the plan has no tasks -> add a task: `{ "id": "task-001-users" }`',
  ],
  "an id used twice": [
    inManifest('"task-002-items"', '"task-001-users"'),
    "tasks/task-002-items.md:2:5 warning spec-unused: the task file `tasks/task-002-items.md` belongs to no task in the manifest -> add its task to a wave's `tasks`, or delete the file",
    "manifest.json:12:17 error duplicate-id: the task id `task-001-users` is used twice -> change the `id` of one of them",
  ],
  "an id of another form": [
    {
      ...inManifest('"task-002-items"', '"items"'),
      ...changed("tasks/task-002-items.md", "id: task-002-items", "id: items"),
      "prompts/items.txt": text("prompts/task-002.txt"),
    },
    "manifest.json:12:17 warning task-id-form: unusual task id `items`; expected `task-001` or `task-001-component` -> rename the task: `task-001-users`",
  ],
  "a task file that covers something else": [
    {
      ...inManifest('"plugin:agent"', '"plugin:agent",\n          "covers": ["R1", 1.1]'),
      ...inFirst("agent: plugin:agent", "agent: plugin:agent\ncovers: R2"),
    },
    "tasks/task-001-users.md:7:9 warning spec-mismatch: the task file of `task-001-users` covers R2 (used), but the manifest lists 1.1, R1 -> make `covers` the same in both files",
  ],
  "an agent that is none": [
    inManifest('"plugin:agent"', '"a b"'),
    "tasks/task-001-users.md:6:8 warning spec-mismatch: the task file of `task-001-users` sets the agent `plugin:agent`, but the manifest's `a b` is used -> set `agent: a b` in the task file",
    "manifest.json:9:20 error bad-agent: `task-001-users` uses the agent `a b`, which is not an agent name -> use the agent's name, or `plugin:agent`",
  ],
  "no agent anywhere": [
    { ...inManifest(/,\n\s*"agent": "plugin:agent"/, ""), ...inFirst("agent: plugin:agent", "agent: ''") },
    'manifest.json:8:17 warning missing-key: missing key `agent` in `task-001-users` -> add `"agent": "plugin:agent"`',
  ],
  "a prompt that is missing": [
    { "prompts/task-001.txt": null },
    "manifest.json:8:17 error prompt-missing: the prompt file of `task-001-users` (`prompts/task-001-users.txt` or `prompts/task-001.txt`) does not exist -> generate it from the task file: plait spec prompts parallel/TS-1",
  ],
  "a prompt that is empty": [
    { "prompts/task-001.txt": " \n" },
    "manifest.json:8:17 error prompt-missing: the prompt file of `task-001-users` (`prompts/task-001.txt`) is empty -> generate it from the task file: plait spec prompts parallel/TS-1",
  ],
  "a prompt elsewhere": [
    inManifest('"plugin:agent"', '"plugin:agent",\n"prompt_file": "../x.txt"'),
    'manifest.json:10:16 error prompt-missing: the prompt file of `task-001-users` (`../x.txt`) contains ".." -> generate it from the task file: plait spec prompts parallel/TS-1',
  ],
  "a task file that is missing": [
    { "tasks/task-002-items.md": null },
    "manifest.json:12:17 warning spec-missing: `task-002-items` has no task file, so its scope and needs are unknown -> create `tasks/task-002-items.md`",
    "manifest.json:12:17 note no-owns: `task-002-items` owns no paths, so it may change any file -> list the paths to change: `owns: [src/page/]`",
  ],
  "a task file too many": [
    { "tasks/task-009-x.md": taskFile({ id: "task-009", wave: 1, scope: "CREATE: z" }) },
    "tasks/task-009-x.md:2:5 warning spec-unused: the task file `tasks/task-009-x.md` belongs to no task in the manifest -> add its task to a wave's `tasks`, or delete the file",
  ],
  "a README among the task files": [{ "tasks/README.md": "# Tasks\n" }],
  "another id in the task file": [
    inFirst("id: task-001-users", "id: task-007"),
    "tasks/task-001-users.md:2:5 error spec-mismatch: the task file of `task-001-users` sets the id `task-007` -> set `id: task-001-users`, or rename the file",
  ],
  "another wave in the task file": [
    inFirst("wave: 1", "wave: 2"),
    "tasks/task-001-users.md:4:7 error spec-mismatch: the task file of `task-001-users` sets wave 2, but the manifest sets wave 1 -> set `wave: 1` in the task file",
  ],
  "a dependency that is no task": [
    changed("tasks/task-003-orders.md", "[task-001-users]", "[task-001-user]"),
    "tasks/task-003-orders.md:5:8 error unknown-need: `task-003-orders` needs `task-001-user`, which is not a task in this plan -> did you mean `task-001-users`?",
  ],
  "a dependency in the first wave": [
    inFirst("deps: []", "deps: [task-002-items]"),
    "tasks/task-001-users.md:5:8 error needs-later-wave: `task-001-users` needs `task-002-items`, but both are in wave 1 -> move `task-001-users`: `wave: 2`",
  ],
  "a block that is no task but nearly itself": [
    inFirst("deps: []", "deps: []\nblocks: [task-001-user]"),
    "tasks/task-001-users.md:6:10 error unknown-need: `task-001-users` blocks `task-001-user`, which is not a task in this plan -> use one of `task-002-items` and `task-003-orders`",
  ],
  "a block that is no task": [
    inFirst("deps: []", "deps: []\nblocks: [task-0033]"),
    "tasks/task-001-users.md:6:10 error unknown-need: `task-001-users` blocks `task-0033`, which is not a task in this plan -> use one of `task-002-items` and `task-003-orders`",
  ],
  "a misspelt key in a task file": [
    inFirst("deps: []", "depends: []"),
    "tasks/task-001-users.md:5:1 warning unknown-key: unknown key `depends` in front matter -> use `deps` instead",
  ],
  "keys that are missing in a task file": [
    inFirst("component: c\n", ""),
    "tasks/task-001-users.md:2:1 warning missing-key: missing key `component` in the task file -> add `component: users`",
  ],
  "broken front matter": [
    inFirst("deps: []", "deps: ["),
    'tasks/task-001-users.md:6:1 error yaml-syntax: missing "]" before this -> close the list: `]`',
  ],
  "no front matter": [
    inFirst(/^---[\s\S]*?---\n/, ""),
    "tasks/task-001-users.md:1:1 warning missing-key: the task file must start with front matter -> put the YAML between two `---` lines",
  ],
  "no scope": [
    inFirst(/## Scope[\s\S]*/, ""),
    "tasks/task-001-users.md:8:1 warning scope-missing: the task file has no scope, so its task may change any file -> add `## Scope` with lines CREATE:, MODIFY: and BOUNDARY:",
    "manifest.json:8:17 note no-owns: `task-001-users` owns no paths, so it may change any file -> list the paths to change: `owns: [src/page/]`",
  ],
  "no boundary": [
    inFirst("BOUNDARY: (none)\n", ""),
    "tasks/task-001-users.md:11:1 warning scope-missing: the scope has no BOUNDARY -> list the paths the task must not change: `BOUNDARY: apps/orders/*`",
  ],
  "prose in a scope": [
    scoped("CREATE: src/users.js, and its tests"),
    "tasks/task-001-users.md:12:23 warning scope-entry: CREATE has `and its tests`, which is not a path -> use paths and globs from the root, separated by commas: `src/api/, docs/*.md`",
  ],
  "a part of a file as a boundary": [
    scoped("CREATE: src/users.js\nBOUNDARY: a.py::A"),
    "tasks/task-001-users.md:13:11 warning scope-entry: BOUNDARY has `a.py::A`, but a boundary covers whole files -> use paths and globs from the root, separated by commas: `src/api/, docs/*.md`",
  ],
  "a path that leads out of the repository": [
    scoped("CREATE: ../a.py"),
    'tasks/task-001-users.md:12:9 error bad-pattern: `task-001-users` owns `../a.py`, which contains ".." -> use a path from the root of the repository: `src/api/`',
  ],
  "a contract that is missing": [
    inFirst("contracts/types.ts", "contracts/types.py"),
    "tasks/task-001-users.md:7:13 warning contract-missing: `task-001-users` lists the contract `contracts/types.py`, which does not exist -> use a path from the manifest's folder: `contracts/types.ts`",
  ],
  "a claim on a contract": [
    scoped("CREATE: parallel/TS-1/contracts/types.ts"),
    "tasks/task-001-users.md:7:13 error owns-in-boundary: `task-001-users` owns `parallel/TS-1/contracts/types.ts`, but its boundary `parallel/TS-1/contracts/types.ts` forbids it -> narrow `owns` or `boundary`",
  ],
  "a glob that reaches a contract": [scoped("CREATE: parallel/**/*.ts")],
  "too much at once in the metadata": [
    {
      "manifest.json": manifest([["task-001-users", "task-002-items"], ["task-003-orders"]], {
        metadata: { max_parallel: 0 },
      }),
    },
    "manifest.json:28:21 error bad-value: metadata.max_parallel must be a whole number from 1 to 256, not 0",
  ],
};

describe("an artefact folder with a mistake", () => {
  test.each(Object.entries(cases))("%s", async (_, [files, ...said]) =>
    expect(await check(files)).toEqual(said),
  );
});

describe("what two tasks may claim", () => {
  const A = "task-001-users";
  const B = "task-002-items";
  const C = "task-003-orders";
  const claims = async (scopes: { readonly [id: string]: string }) => {
    const files = Object.entries({ [A]: "CREATE: a1", [B]: "CREATE: b1", [C]: "CREATE: c1", ...scopes }).map(
      ([id, scope]) => [`tasks/${id}.md`, taskFile({ id, wave: id === C ? 2 : 1, scope })] as const,
    );
    return (await check(Object.fromEntries(files))).map((one) => one.split(/[ :]/)[4]);
  };

  test.each<[string, string, string, string[]]>([
    ["the same file, created twice", "CREATE: x.py", "CREATE: x.py", ["created-twice"]],
    ["the same file among braces", "CREATE: {x,y}.py", "CREATE: y.py", ["created-twice"]],
    ["the same file, unscoped", "MODIFY: x.py", "MODIFY: x.py", ["ownership-overlap"]],
    ["one of them scoped", "MODIFY: x.py", "MODIFY: x.py::A", ["ownership-overlap"]],
    ["the same scope", "MODIFY: x.py::A", "MODIFY: x.py::A", ["ownership-overlap"]],
    ["a scope inside the other", "MODIFY: x.py::A", "MODIFY: x.py::A.b", ["ownership-overlap"]],
    ["two methods", "MODIFY: x.py::A.b", "MODIFY: x.py::A.c", []],
    ["two classes", "MODIFY: x.py::A", "MODIFY: x.py::B", []],
    ["names that only begin alike", "MODIFY: x.py::A", "MODIFY: x.py::AB", []],
    ["a class and a module-level name", "MODIFY: x.py::A", "MODIFY: x.py::urlpatterns", []],
    ["a file and a glob", "CREATE: a/x.py", "MODIFY: a/*.py", ["ownership-overlap"]],
    ["two folders", "CREATE: a/*.py", "CREATE: b/*.py", []],
  ])("in one wave: %s", async (_, one, other, said) =>
    expect(await claims({ [A]: one, [B]: other })).toEqual(said),
  );

  test.each<[string, string, string, string[]]>([
    ["the same file, created twice", "CREATE: x.py", "CREATE: x.py", ["created-twice"]],
    ["created, then modified", "CREATE: x.py", "MODIFY: x.py", []],
    ["a file in a folder of the other", "CREATE: a/*.py", "CREATE: a/x.py", ["created-twice"]],
    ["modified twice", "MODIFY: x.py", "MODIFY: x.py", []],
    ["the same scope", "MODIFY: x.py::A", "MODIFY: x.py::A", []],
  ])("in two waves: %s", async (_, one, other, said) =>
    expect(await claims({ [A]: one, [C]: other })).toEqual(said),
  );
});
