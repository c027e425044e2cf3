import { expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { type Files, manifest, whole } from "../../../test/formats/cpo-folder.ts";
import { filesOf } from "../../../test/formats/read-as-plan.ts";
import { technologies } from "../spec-contents.ts";
import { specFolder } from "../spec-folder.ts";
import { checkFolder } from "./check-folder.ts";

const complete: Files = {
  ...whole,
  "architecture.md": "# Parts\n",
  "task-graph.md": 'flowchart LR\n  t1["task-001: users"] --> Task_002\n  task-003-orders\n',
};

/** Prompts and task files of these folders are short: what they lack is left out, unless it is asked for, and so are validations. */
async function check(files: Files): Promise<string[]> {
  return (await checkAll({ ...complete, ...files })).filter(
    (one) => !/ (?:(?:prompt|task)-(?:section|header)|wave-unvalidated)/.test(one),
  );
}

async function checkAll(files: Files): Promise<string[]> {
  const kept = Object.entries(files).filter(([, text]) => text !== null);
  const input = { kind: "folder" as const, path: "p", names: [] };
  const found = await checkFolder(
    input,
    caps,
    filesOf(input, Object.fromEntries(kept as [string, string][])),
  );
  return found.map(
    ({ at, severity, code, message, hint }) =>
      `${at?.file.slice(2)}:${at?.start.line}:${at?.start.col} ${severity} ${code}: ${message}${hint === null ? "" : ` -> ${hint}`}`,
  );
}

const IDS = [["task-001-users", "task-002-items"], ["task-003-orders"]];

const made = (technology: (typeof technologies)[number]): Files => {
  const about = { techSpecId: "TS-0042", name: "x", technology, generatedAt: "2026-01-01T00:00:00Z" };
  const files = specFolder(about, "p");
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
};

test("folders that plait makes are whole", async () => {
  for (const technology of technologies) expect(await checkAll(made(technology))).toEqual([]);
});

test("a technology that plait does not know is warned of", async () => {
  expect(await check({ "manifest.json": manifest(IDS, { technology: "cobol" }) })).toEqual([
    expect.stringMatching(
      /^manifest\.json:\d+:17 warning technology-unknown: unknown technology `cobol` -> use a known technology: python, django, typescript, go$/,
    ),
  ]);
  expect(await check({ "manifest.json": manifest(IDS, { technology: "Typescript" }) })).toEqual([
    expect.stringContaining("did you mean `typescript`?"),
  ]);
});

test("prompts that lack something are warned of; one that is stale and a task file that lacks a section are errors", async () => {
  const files = made("go");
  const prompt = files["prompts/task-001.txt"] as string;
  const task = files["tasks/task-001-example.md"] as string;
  expect(
    await checkAll({
      ...files,
      "prompts/task-001.txt": prompt
        .replace("=== OBJECTIVE ===", "=== OBJECT ===")
        .replace("one line of text", "a line"),
    }),
  ).toEqual([
    expect.stringMatching(
      /^prompts\/task-001.txt:\d+:1 warning prompt-section: the prompt has no section `=== OBJECTIVE ===`/,
    ),
    expect.stringMatching(/^prompts\/task-001.txt:\d+:1 error prompt-stale: .*IMPLEMENTATION REQUIREMENTS/),
  ]);
  expect(
    await checkAll({ ...files, "tasks/task-001-example.md": task.replace("## Checklist", "## Check") }),
  ).toEqual([
    expect.stringMatching(/^tasks\/task-001-example.md:2:1 error task-section-missing: .*`## Checklist`/),
  ]);
});

test("a whole folder is whole", async () => {
  const metadata = { total_tasks: 3, critical_path: ["task-001", "task-003-orders"] };
  expect(await check({ "manifest.json": manifest(IDS, { metadata }) })).toEqual([]);
  const prompts = Object.keys(whole).filter((path) => path.startsWith("prompts/"));
  const other = {
    ...Object.fromEntries(prompts.map((path) => [path, null])),
    "manifest.json": manifest([["users"]]),
    "task-graph.md": "flowchart LR\n  users\n",
  };
  expect(await check(other)).toEqual([]);
});

test("contracts are checked, in folders below too; what is no contract is left alone", async () => {
  const files = {
    "contracts/types.ts": "type A = {\n",
    "contracts/v1/api-schema.yaml": "swagger: 2\n",
    "contracts/.hidden/types.ts": "{",
    "contracts/README.md": "{",
  };
  expect(await check(files)).toEqual([
    "contracts/types.ts:1:10 error contract-syntax: `{` is never closed",
    "contracts/v1/api-schema.yaml:1:10 error api-version: this is Swagger 2; plait checks OpenAPI 3.0 and 3.1 -> convert the document, then set `openapi: 3.0.3`",
  ]);
});

test("what is missing or empty is told at once", async () => {
  const files = { "architecture.md": null, "contracts/types.ts": null, "context.md": " \n" };
  expect(await check(files)).toEqual([
    "manifest.json:1:1 warning folder-incomplete: missing in the artifact folder: `architecture.md` and `contracts` -> add the files, or see an example: plait spec init <new-folder>",
    "context.md:1:1 warning folder-incomplete: `context.md` is empty -> describe the goal, conventions and tests in `context.md`",
  ]);
});

test("a graph and metadata of other tasks, and a prompt of none", async () => {
  const metadata = { total_tasks: 4, critical_path: ["task-001", "task-030-orders"] };
  const files = {
    "manifest.json": manifest(IDS, { metadata }),
    "task-graph.md": "flowchart LR\n  task-001 --> task-004-old\n",
    "prompts/task-004.txt": "Do it.\n",
  };
  expect(await check(files)).toEqual([
    'manifest.json:28:20 warning metadata-stale: `total_tasks` is 4, but the manifest has 3 tasks -> set `"total_tasks": 3`',
    "manifest.json:31:7 warning metadata-stale: `critical_path` lists `task-030-orders`, which is not a task in the manifest -> did you mean `task-003-orders`?",
    "task-graph.md:2:16 warning graph-stale: the graph shows `task-004`, which is not a task in the manifest -> redraw the graph: plait spec graph p",
    "task-graph.md:1:1 warning graph-stale: the graph does not show `task-002-items` and `task-003-orders` -> redraw the graph: plait spec graph p",
    "prompts/task-004.txt:1:1 warning prompt-unused: the prompt `prompts/task-004.txt` belongs to no task in the manifest -> add its task to a wave's `tasks`, or delete the file",
  ]);
});

test("a manifest that cannot be read hides nothing but what it would have to say", async () => {
  const broken = { "contracts/types.ts": "type A = {\n", "task-graph.md": "task-009" };
  const said = "contracts/types.ts:1:10 error contract-syntax: `{` is never closed";
  expect(await check({ ...broken, "manifest.json": "{" })).toEqual([said]);
  expect(await check({ ...broken, "manifest.json": manifest([[""]]) })).toEqual([said]);
});
