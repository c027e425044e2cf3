import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandPages, pageAt, root, skills } from "./files.ts";

const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

test("has the skills and commands that its users know by name", () => {
  expect([...skills.keys()]).toEqual([
    "agent-tools",
    "dependency-alignment",
    "parallel-agents",
    "parallel-decompose",
    "parallel-execution",
    "parallel-prompt-generator",
    "parallel-task-format",
  ]);
  expect([...commandPages.keys()]).toEqual([
    "create-tech-spec",
    "parallel-decompose",
    "parallel-integrate",
    "parallel-run",
    "parallel-setup",
    "parallel-validate-prompts",
    "spec-go",
  ]);
});

test("is of the version of the package that it comes with", () => {
  expect(json("plugin/.claude-plugin/plugin.json").version).toBe(json("package.json").version);
});

test.each([...skills])(
  "the skill %s is called like its folder, and says when to load it",
  (name, { front }) => {
    expect(front.name).toBe(name);
    expect(front.description).toMatch(/Use when/);
    expect(front.description?.length).toBeLessThanOrEqual(1024); // Claude Code cuts off what is longer
  },
);

test.each([...commandPages])("the command %s takes what the user types", (_, { front, text }) => {
  expect(front.description).toBeTypeOf("string");
  expect(front["argument-hint"]).toBeTypeOf("string");
  expect(text).toContain("$ARGUMENTS");
});

// Both are `plait:parallel-decompose` to Claude Code, which finds the skill for Claude and the command for the user only so.
describe("a command and a skill of one name", () => {
  const both = [...commandPages].filter(([name]) => skills.has(name));

  test("are there", () => {
    expect(both.map(([name]) => name)).toEqual(["parallel-decompose"]);
  });

  test.each(both)("%s: the command is the user's, the skill is Claude's", (name, { front }) => {
    expect(front["disable-model-invocation"]).toBe(true);
    expect(skills.get(name)?.front["user-invocable"]).toBe(false);
  });
});

/** What tells people outside of Claude Code what to type in it. */
const outside = ["README.md", "docs/guide/spec-driven.md", "src/core/select/remarks.ts"].map(pageAt);

test.each([...skills.values(), ...commandPages.values(), ...outside])(
  "$path names no skill or command that is missing",
  ({ text }) => {
    const named = [...text.matchAll(/(\/?)\bplait:([a-z-]+)/g)];
    const missing = named.filter(
      ([, slash, name = ""]) => !(slash === "/" ? commandPages : skills).has(name),
    );
    expect(missing.map(([words]) => words)).toEqual([]);
  },
);
