import { describe, expect, test } from "vitest";
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
    ["a plan of another tool", '---\npo_plan_version: "0.1"\n---\n', "format-not-supported"],
    ["a dispatch manifest", "# Plan\n\n```json dispatch\n{}\n```\n", "format-not-supported"],
  ])("%s is not", (_, text, code) => expect(detect(file(text))).toBe(code));

  test("the content decides, not the name", () => {
    expect(detect(file("plait: 1\n", "notes.txt"))).toBe("native");
    expect(detect(file("name: x\n", "plan.yaml"))).toBe("unknown-format");
  });

  test("a folder is no native plan, but the plan in it is named", () => {
    expect(detectFormat(folder("a.txt", "plan.yaml")).diagnostic).toEqual({
      code: "unknown-format",
      severity: "error",
      message:
        'this folder is not a plan; looked for the key "plait: 1" at the top, in YAML, JSON or the front matter of Markdown (plait plan)',
      at: { file: "plans/", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } },
      hint: "there is a plan.yaml in it; name that: plans/plan.yaml",
      related: [],
    });
  });

  test("a folder with a manifest is told apart", () =>
    expect(detect(folder("context.md", "manifest.json"))).toBe("format-not-supported"));

  test("a folder cannot be read as a native plan, even when asked", async () => {
    const caps = { maxPlanBytes: 1, maxDepth: 1, maxTasks: 1, maxPromptBytes: 1 };
    const results = await Promise.all(formats.map((format) => format.read(folder(), caps)));
    expect(results.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      ["unknown-format"],
    ]);
  });
});
