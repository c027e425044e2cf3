import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allCodes } from "../../src/app/codes.ts";
import type { Located } from "../../src/core/source.ts";
import { parseManifest } from "../../src/formats/cpo/manifest.ts";
import { manifestSchema } from "../../src/formats/cpo/schema.ts";
import { sectionNames } from "../../src/formats/cpo/section-names.ts";
import { parseSkillsMapping } from "../../src/formats/cpo/skills.ts";
import { parseTaskSpec } from "../../src/formats/cpo/task-spec.ts";
import { parseTools } from "../../src/formats/cpo/tools.ts";
import { designSchema } from "../../src/spec/design/schema.ts";
import { caps } from "../formats/caps.ts";
import { fenced, inlineCode, root, skill, skills } from "./files.ts";

// What the skills show of files is read by the parsers that read the files.

const format = skill("parallel-task-format");

test("the manifest of the reference is one, and every key has its row", () => {
  const [text = ""] = fenced(format, "json");
  expect(parseManifest({ file: "manifest.json", text }, caps)).toMatchObject({
    manifest: { generation: "waves", waves: [{ tasks: [{}, {}] }, { tasks: [{}] }] },
    diagnostics: [],
  });
  const known = Object.keys(manifestSchema.shape).filter((key) => !["version", "$schema"].includes(key));
  expect(known.filter((key) => !format.text.includes(`\`${key}\``) && !text.includes(`"${key}"`))).toEqual(
    [],
  );
});

test("the task file of the reference is one", () => {
  const [text = ""] = fenced(format, "markdown");
  const { spec, diagnostics } = parseTaskSpec({ path: "tasks/task-002-routes.md", file: "x", text }, caps);
  expect(diagnostics).toEqual([]);
  expect(spec).toMatchObject({
    title: "Serve items",
    create: [{ value: "inventory/routes/{items,orders}.py" }, { value: "tests/test_routes.py" }],
    modify: [{ value: "inventory/app.py::create_app" }],
    boundary: [{ value: "inventory/store.py" }, { value: "migrations/**" }],
    missing: [],
  });
});

test("the sections of prompts are told in their order, with none left out", () => {
  const rows = skill("parallel-prompt-generator").text.split("\n");
  const told = rows.flatMap((row) => /^\| ([A-Z][A-Z ,]+) \|/.exec(row)?.[1]?.split(", ") ?? []);
  expect(told).toEqual(sectionNames);
});

test("the design that is shown has the form of one", () => {
  const [text = ""] = fenced(skill("parallel-decompose"), "json");
  expect(designSchema.safeParse(JSON.parse(text)).error?.issues ?? []).toEqual([]);
});

test("the dependencies that are shown are those of a manifest", () => {
  const [text = ""] = fenced(skill("dependency-alignment"), "json");
  expect(manifestSchema.shape.dependencies.safeParse(JSON.parse(text).dependencies).success).toBe(true);
});

test("the mapping that comes along is one", () => {
  const path = "plugin/skills/parallel-agents/agent-skills-mapping.yaml";
  const text = readFileSync(join(root, path), "utf8");
  const { mapping, diagnostics } = parseSkillsMapping({ file: path, text }, caps);
  expect(diagnostics).toEqual([]);
  expect([...mapping.keys()]).toEqual(["general-purpose"]);
});

test("every rule for tools that is shown is one that is taken", () => {
  const page = skill("agent-tools");
  const shown = fenced(page, "yaml").flatMap((block) => [parse(block).tools].flat() as string[]);
  const rules = inlineCode(page).filter((code) => /^(?:[A-Z]\w+(?:\(.*\))?|mcp__\w+)$/.test(code));
  expect(rules.length).toBeGreaterThan(15);
  const wrong = [...shown.map((rule) => [rule]), ...rules.map((rule) => [rule])]
    .map((one) => parseTools(one.map(located), ["src/a.py"]))
    .flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
  expect(wrong).toEqual([]);
});

test.each(["parallel-task-format", "dependency-alignment"])(
  "every finding in %s can be explained",
  (name) => {
    const known = new Set<string>(allCodes.map(({ code }) => code));
    const named = findingsIn(skill(name).text);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((code) => !known.has(code))).toEqual([]);
  },
);

/** Those of the last table, in the first cells of its rows. */
function findingsIn(text: string): string[] {
  const rows = text.slice(text.lastIndexOf("\n| code |")).split("\n");
  const cells = rows.flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => code));
}

function located(value: string): Located<string> {
  const start = { line: 1, col: 1 };
  return { value, at: { file: "x", start, end: start } };
}

test("no skill is longer than what is worth reading at once", () => {
  const long = [...skills].filter(([, { text }]) => text.split("\n").length > 150);
  expect(long.map(([name]) => name)).toEqual([]);
});
