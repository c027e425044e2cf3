import { describe, expect, test } from "vitest";
import { filesOf } from "../../test/formats/read-as-plan.ts";
import type { PlanInput } from "./format.ts";
import { detectFormat, formats } from "./registry.ts";

const file = (text: string, path = "plan"): PlanInput => ({ kind: "file", path, text });
const folder = (...names: string[]): PlanInput => ({ kind: "folder", path: "plans/", names });
const detect = (input: PlanInput) => {
  const { format, diagnostic } = detectFormat(input);
  return format?.name ?? diagnostic?.code;
};

describe("the format of a plan", () => {
  test.each([
    ["YAML", "plait: 1\ntasks: []\n"],
    ["YAML with the key further down", "name: x\nplait: 1\n"],
    ["YAML after a comment and a document mark", "# a plan\n---\nplait: 1\n"],
    ["quoted keys", '"plait": 1\n'],
    ["JSON", '{\n  "plait": 1\n}'],
    ["JSON in one line", '{"name":"x","plait":1}'],
    ["a flow map", "{ name: x, plait: 1 }"],
    ["front matter", "---\nplait: 1\n---\n# Notes\n"],
    ["Windows line ends", "# x\r\nplait: 1\r\n"],
    ["a broken plan", "plait: 1\ntasks: [\n"],
  ])("%s is native", (_, text) => expect(detect(file(text))).toBe("native"));

  test.each([
    ["another YAML file", "name: x\ntasks: []\n", "unknown-format"],
    ["a key that only starts like it", "plaits: 1\n", "unknown-format"],
    ["the key inside another map", "a:\n  plait: 1\n", "unknown-format"],
    ["prose with the key in an example", "Plans look so:\n\nplait: 1\n", "unknown-format"],
    ["front matter without the key, but notes with it", "---\nname: x\n---\nplait: 1\n", "unknown-format"],
    ["a list", "- plait: 1\n", "unknown-format"],
    ["nothing", "", "plan-empty"],
    ["blank lines", "\n \t\r\n", "plan-empty"],
    ["comments", "# plait: 1\n  # more\n", "plan-empty"],
    ["a dispatch manifest", "# Plan\n\n```json dispatch\n{}\n```\n", "adm"],
  ])("%s is not", (_, text, code) => expect(detect(file(text))).toBe(code));

  test.each([
    ["a manifest", '---\npo_plan_version: "0.1"\n---\n# Plan\n'],
    ["of another version", "---\ncwd: .\npo_plan_version: 7\n---\n"],
    ["with the key of old", '---\nclade_plan_version: "0.1"\n---\n'],
    ["that is not closed", '---\npo_plan_version: "0.1"\n'],
    ["with quoted keys", "---\n'po_plan_version': x\n---\n"],
    ["in one line", '---\n{ cwd: ., "po_plan_version": "0.1" }\n---\n'],
    ["with blanks and Windows line ends", '--- \r\npo_plan_version: "0.1"\r\n---\t\r\n'],
    ["that is broken", "---\npo_plan_version: [\n---\n"],
  ])("%s is of parallel-orchestra", (_, text) => expect(detect(file(text, "plan.md"))).toBe("po"));

  test.each([
    ["below its heading", '# Plan\n\n---\npo_plan_version: "0.1"\n---\n', "front-matter"],
    ["without its first line", 'po_plan_version: "0.1"\n---\n', "front-matter"],
    ["in the body only", '---\nname: x\n---\npo_plan_version: "0.1"\n', "front-matter"],
    ["inside another map", '---\na:\n  po_plan_version: "0.1"\n---\n', "unknown-format"],
  ])("a manifest %s is not", (_, text, code) => expect(detect(file(text, "plan.md"))).toBe(code));

  test("a file that is two kinds of plan is refused, and the flag is named", () => {
    const text = "---\nplait: 1\n---\n\n```json dispatch\n{}\n```\n";
    expect(detectFormat(file(text, "plan.md")).diagnostic).toEqual({
      code: "two-formats",
      severity: "error",
      message: "this file matches more than one plan format: plait plan and dispatch manifest",
      at: { file: "plan.md", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } },
      hint: "choose one: --format native or --format adm",
      related: [],
    });
  });

  test("so is a manifest of parallel-orchestra with a dispatch block below", () => {
    const text = '---\npo_plan_version: "0.1"\n---\n\n```json dispatch\n{}\n```\n';
    expect(detectFormat(file(text, "plan.md")).diagnostic?.hint).toMatch(/--format po or --format adm$/);
  });

  test.each([
    ["in front matter", "plan.md", "---\nplait: 1\nx: |\n  ```json dispatch\n---\n"],
    ["in a prompt", "plan.yaml", "plait: 1\ntasks:\n  - id: a\n    prompt: |\n      ```json dispatch\n"],
  ])("a dispatch block %s is none", (_, path, text) => expect(detect(file(text, path))).toBe("native"));

  test("the content decides, not the name", () => {
    expect(detect(file("plait: 1\n", "notes.txt"))).toBe("native");
    expect(detect(file("name: x\n", "plan.yaml"))).toBe("unknown-format");
  });

  test("a folder that lacks nothing but its manifest is told so", () => {
    expect(detectFormat(folder("context.md", "tasks")).diagnostic?.code).toBe("manifest-missing");
    expect(detectFormat(folder("README.md", "src")).diagnostic?.code).toBe("not-a-file");
  });

  test("a folder is no native plan, but the plan in it is named", () => {
    expect(detectFormat(folder("a.txt", "plan.yaml")).diagnostic).toEqual({
      code: "not-a-file",
      severity: "error",
      message: "this folder is not a plan: it has no manifest.json",
      at: { file: "plans/", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } },
      hint: "pass the plan in it: `plans/plan.yaml`",
      related: [],
    });
  });

  test("a folder with a manifest is an artefact folder", () =>
    expect(detect(folder("context.md", "manifest.json"))).toBe("cpo"));

  test.each([
    ["waves of a tech spec", '{ "tech_spec_id": "TS-1", "waves": [] }'],
    ["waves with numbers", '{ "waves": [{ "number": 1 }] }'],
    ["a manifest without waves", '{ "tech_spec_id": "TS-1" }'],
    [
      "files of a tech spec",
      '{ "version": "1.0.0", "tech_spec": { "id": "TS-1" }, "tasks": { "files": [] } }',
    ],
    ["a broken manifest", '{ "tech_spec_id": "TS-1", "waves": [,] }'],
  ])("%s are a manifest", (_, text) => expect(detect(file(text))).toBe("cpo"));

  test("a folder without a plan cannot be read as one, even when asked", async () => {
    const caps = { maxPlanBytes: 1, maxDepth: 1, maxTasks: 1, maxPromptBytes: 1 };
    const results = await Promise.all(
      formats.map((format) => format.read(folder(), caps, filesOf(folder()))),
    );
    expect(results.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual(
      formats.map(({ name }) => [name === "cpo" ? "manifest-missing" : "not-a-file"]),
    );
  });

  test.each([
    ["tasks.json", '{ "tasks": [] }', 'add the first key: `"plait": 1`'],
    ["plan", '{ "tasks": [] }', 'add the first key: `"plait": 1`'],
    ["list.json", "[]", 'make it a map: `{ "plait": 1, "tasks": [ … ] }`'],
    ["tasks.yaml", "tasks: []", "add the first line: `plait: 1`"],
    ["tasks.yaml", "Plait: 1", "write it in lower case, without indentation: `plait: 1`"],
    ["plan.md", "# Plan\n\n```yaml\nplait: 1\n```\n", "start with front matter: `---`, then `plait: 1`"],
    ["plan.md", "Words.\n\n---\nplait: 1\n---\n", "delete everything above this `---`"],
  ])("%s with %j is told how such a file is a plan", (path, text, hint) => {
    expect(detectFormat(file(text, path)).diagnostic?.hint).toBe(hint);
  });
});

test("Markdown with headings only has content, an empty file has none", () => {
  const code = (text: string) => detectFormat({ kind: "file", path: "CHANGELOG.md", text }).diagnostic?.code;
  expect(code("# Changelog\n\n## 1.0\n")).toBe("unknown-format");
  expect(code("\n")).toBe("plan-empty");
});
