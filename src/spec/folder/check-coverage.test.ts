import { describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { filesOf } from "../../../test/formats/read-as-plan.ts";
import { richContents } from "../../../test/spec/rich-contents.ts";
import type { SpecContents, SpecTask } from "../spec-contents.ts";
import { specFiles } from "../spec-files.ts";
import { checkFolder } from "./check-folder.ts";

const PRD = "# Shop\n\n## Requirements\n\n- R1: Reserve\n- R2: Release\n- R3: Ship\n";
const API = `openapi: 3.0.3
info: { title: Shop, version: "1" }
paths:
  /items: { get: { responses: { "200": { description: all } } } }
components: { schemas: { Item: { type: object, required: [id], properties: { id: { type: integer } } } } }
`;
const TYPES = "from dataclasses import dataclass\n\n\n@dataclass\nclass Item:\n    id: int\n";

const [template] = richContents.tasks as readonly [SpecTask, ...SpecTask[]];
const task: SpecTask = { ...template, covers: ["R1", "R2"], operations: ["GET /items"], title: "Items" };
const contents: SpecContents = {
  ...richContents,
  ...{ prd: "docs/prd.md", techSpec: "specs/TS-0042.md", dependencies: {} },
  waves: [{ number: 1, validation: "pytest" }],
  requirements: ["Reserve", "Release", "Ship"].map((text, i) => ({
    ...{ id: `R${i + 1}`, text, file: "docs/prd.md", line: i + 5 },
  })),
  outOfScope: [{ id: "R3", reason: "another team" }],
  tasks: [task],
  contracts: [
    { path: "contracts/types.py", text: TYPES },
    { path: "contracts/api-schema.yaml", text: API },
  ],
};

async function check(
  changed: Partial<SpecContents> = {},
  files: { readonly [path: string]: string | null } = {},
): Promise<string[]> {
  const input = { kind: "folder" as const, path: "parallel/x", names: [] };
  const made = specFiles({ ...contents, ...changed }, "parallel/x").map(({ path, text }) => [path, text]);
  const texts = {
    ...Object.fromEntries(made),
    ...{ "../../docs/prd.md": PRD, "../../specs/TS-0042.md": "# Shop\n" },
    ...files,
  };
  const there = Object.entries(texts).filter(([, text]) => text !== null);
  const found = await checkFolder(
    input,
    caps,
    filesOf(input, Object.fromEntries(there as [string, string][])),
  );
  return found
    .filter(({ code }) => !/^(?:prompt|task-section)/.test(code))
    .map(
      ({ at, severity, code, message }) => `${at?.file}:${at?.start.line} ${severity} ${code}: ${message}`,
    );
}

describe("a folder", () => {
  test("that covers everything has nothing to say, also when lines of its documents have moved", async () => {
    expect(await check()).toEqual([]);
    expect(await check({}, { "../../docs/prd.md": `Words.\n\n${PRD}` })).toEqual([]);
  });

  test("names requirements, operations, waves and contracts that are left out or contradict, where they stand", async () => {
    const tasks = [{ ...task, covers: ["R1", "R7"], operations: ["POST /items"] }];
    const found = await check(
      { tasks, waves: [{ number: 1, validation: null }] },
      { "contracts/types.py": TYPES.replace("int", "str") },
    );
    expect(found).toEqual([
      "docs/prd.md:6 error requirement-uncovered: no task covers `R2`: Release",
      expect.stringMatching(/^parallel\/x\/tasks\/task-001-items\.md:11 error requirement-unknown: `R7`/),
      expect.stringMatching(/^parallel\/x\/manifest\.json:\d+ warning wave-unvalidated: wave 1/),
      expect.stringMatching(
        /^parallel\/x\/contracts\/api-schema\.yaml:4 error operation-unowned: .*`GET \/items`/,
      ),
      expect.stringMatching(
        /^parallel\/x\/tasks\/task-001-items\.md:12 error operation-unknown: `POST \/items`/,
      ),
      expect.stringMatching(/^parallel\/x\/contracts\/types\.py:6 warning contracts-differ: `Item`: .*`id`/),
    ]);
  });

  test("is warned of once where its tasks are from a time before, and not at all where its documents cannot be read", async () => {
    const old = { tasks: [{ ...task, covers: [], operations: [] }], outOfScope: [] };
    expect(await check(old)).toEqual([
      expect.stringMatching(/^docs\/prd\.md:5 warning requirement-uncovered/),
    ]);
    expect(await check(old, { "../../docs/prd.md": "# Shop\n" })).toEqual([]);
    expect(await check(old, { "../../docs/prd.md": null })).toEqual([]);
    expect(await check({ prd: null, techSpec: null })).toEqual([]);
  });

  test("whose documents are gone says so; a tech spec that moved with its status is found", async () => {
    expect(await check({}, { "../../docs/prd.md": null })).toEqual([
      expect.stringMatching(
        /manifest\.json:\d+ warning requirement-unchecked: the document `docs\/prd\.md` does not exist/,
      ),
    ]);
    const moved = {
      "../../specs/TS-0042.md": null,
      "../../tech-specs/reference/TS-0042-shop.md": "# Shop\n",
    };
    expect(await check({}, moved)).toEqual([
      expect.stringContaining("warning tech-spec-missing: the tech spec `specs/TS-0042.md` does not exist"),
    ]);
  });

  test("of the generation before is held to its documents as well", async () => {
    const manifest = {
      tech_spec: { id: "TS-0042", title: "Shop", path: "specs/TS-0042.md" },
      sources: { prd: "docs/prd.md" },
      tasks: { total: 1, files: ["tasks/task-001-items.md"] },
    };
    const found = await check({}, { "manifest.json": JSON.stringify(manifest) });
    expect(found).toContain("docs/prd.md:7 error requirement-uncovered: no task covers `R3`: Ship");
  });

  test("has a table that is told when it is stale or missing", async () => {
    const file = "parallel/x/tasks/task-001-items.md";
    const written = specFiles(contents, "parallel/x");
    const moved = (written.find(({ path }) => `parallel/x/${path}` === file)?.text ?? "").replace(
      "covers: [R1, R2]",
      "covers: [R1]",
    );
    expect(await check({}, { "tasks/task-001-items.md": moved })).toEqual([
      expect.stringContaining("docs/prd.md:6 error requirement-uncovered"),
      "parallel/x/coverage.md:8 warning coverage-stale: coverage.md does not match the task files and documents",
    ]);
    expect(await check({}, { "coverage.md": null })).toEqual([
      expect.stringMatching(/manifest\.json:\d+ warning coverage-stale: coverage\.md does not exist/),
    ]);
  });

  test("may have ids that YAML takes for numbers", async () => {
    const numbers = PRD.replaceAll(/- R(\d)/g, "- 1.$1");
    const own = { tasks: [{ ...task, covers: ["1.1", "1.2"] }], outOfScope: [{ id: "1.3", reason: "no" }] };
    const written = specFiles({ ...contents, ...own }, "parallel/x");
    const bare = written.find(({ path }) => path.startsWith("tasks/"))?.text.replaceAll(/"(1\.\d)"/g, "$1");
    expect(bare).toContain("covers: [1.1, 1.2]");
    const files = { "../../docs/prd.md": numbers, "tasks/task-001-items.md": bare ?? "" };
    expect(await check(own, files)).toEqual([expect.stringContaining("coverage-stale")]);
  });
});
