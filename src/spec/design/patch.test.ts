import { describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { fullDesign, sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import { formatMessage } from "../../core/text/finding.ts";
import { applyPatch, isWholeDesign, type PatchableDesign, readPatchableDesign } from "./patch.ts";

const current = readPatchableDesign(JSON.stringify(fullDesign)) as PatchableDesign;

const apply = (patch: object, design = current) => {
  const applied = applyPatch(JSON.stringify(patch, null, 2), design, caps);
  return applied.ok
    ? JSON.parse(applied.text)
    : applied.diagnostics.map(
        ({ at, severity, code, hint, ...text }) =>
          `${at?.file}:${at?.start.line} ${severity} ${code}: ${formatMessage(text)}${hint === null ? "" : ` -> ${hint}`}`,
      );
};

describe("a patch", () => {
  test("replaces tasks by id where they are, adds and removes others, and keeps all the rest", () => {
    const patch = {
      tasks: [sampleTask(4), sampleTask(1, { hours: 2 })],
      remove_tasks: ["task-002"],
      contracts: { types: "type A = 1;", api_schema: null },
      context_summary: "Other words.",
      architecture_summary: null,
      manifest: null,
      waves: null,
    };
    expect(apply(patch)).toEqual({
      ...fullDesign,
      context_summary: "Other words.",
      contracts: { types: "type A = 1;", api_schema: "openapi: 3.0.3\n" },
      tasks: [fullDesign.tasks[0], { ...fullDesign.tasks[1], ...sampleTask(1, { hours: 2 }) }, sampleTask(4)],
    });
  });

  test("may name only the keys of a known task that change, remove a contract, and give all waves anew", () => {
    const patch = {
      tasks: [{ id: "task-001", wave: 2 }],
      contracts: { types: "" },
      manifest: { technology: "go" },
      waves: [{ number: 1, validation: "go test ./..." }],
    };
    expect(apply(patch)).toEqual({
      ...fullDesign,
      manifest: { ...fullDesign.manifest, technology: "go" },
      contracts: { types: null, api_schema: "openapi: 3.0.3\n" },
      waves: [{ number: 1, validation: "go test ./..." }],
      tasks: [fullDesign.tasks[0], { ...fullDesign.tasks[1], wave: 2 }, fullDesign.tasks[2]],
    });
  });

  test("that cannot be applied names each reason with its place", () => {
    expect(
      apply({ tasks: [{ id: "task-001" }, { id: "task-001" }], remove_tasks: ["task-001", "task-02"] }),
    ).toEqual([
      "patch.json:7 error design-patch: tasks[1].id: the patch has `task-001` twice -> keep one `task-001`",
      "patch.json:11 error design-patch: remove_tasks[0]: the patch both changes and removes `task-001` -> keep one `task-001`",
      "patch.json:12 error design-patch: remove_tasks[1]: the patch removes `task-02`, which is not a task in the design -> did you mean `task-002`?",
    ]);
    expect(apply({ task: [], remove_tasks: "task-001" })).toEqual([
      expect.stringContaining("patch.json:2 error unknown-key: "),
      expect.stringContaining("patch.json:3 error wrong-type: remove_tasks: "),
    ]);
    expect(apply({ tasks: [{ title: "No id" }] })).toEqual([expect.stringContaining("tasks[0]")]);
    expect(apply({ tasks: [] })).toEqual([
      expect.stringContaining("error design-patch: the patch changes nothing"),
    ]);
    expect(applyPatch('{"tasks": [', current, caps)).toMatchObject({
      ok: false,
      diagnostics: [{ code: "json-syntax" }],
    });
  });
});

test("only a design whose tasks have ids of their own can be changed by one; it need not hold otherwise", () => {
  expect(readPatchableDesign('{"tasks": [{"id": "a"}], "x": 1}')).toEqual({ tasks: [{ id: "a" }], x: 1 });
  for (const text of ['{"tasks": [{"id": "a"}, {"id": "a"}]}', '{"tasks": [{}]}', '{"tasks": 1}', "[]", "{"])
    expect(readPatchableDesign(text)).toBeNull();
});

test("a whole design is none", () => {
  expect(isWholeDesign(JSON.stringify(sampleDesign))).toBe(true);
  expect(isWholeDesign(JSON.stringify({ ...sampleDesign, remove_tasks: [] }))).toBe(false);
  expect(isWholeDesign(JSON.stringify({ ...sampleDesign, contracts: null }))).toBe(false);
});
