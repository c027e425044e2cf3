import { describe, expect, test } from "vitest";
import { parseTools } from "./tools.ts";

const at = { file: "t.md", start: { line: 1, col: 1 }, end: { line: 1, col: 2 } };
const parse = (rules: string[], scope: string[] = []) =>
  parseTools(
    rules.map((value) => ({ value, at })),
    scope,
  );

describe("tool rules", () => {
  test.each([
    "Read",
    "Edit(/src/**/*.ts)",
    "Edit(//Users/alice/src/**)",
    "Read(~/.zshrc)",
    "Bash(pytest:*)",
    "Bash(npm run test:*)",
    "Bash(git status)",
    "Bash(echo (a))",
    "WebFetch(domain:docs.python.org)",
    "mcp__puppeteer",
    "mcp__puppeteer__puppeteer_navigate",
    "TodoWrite",
  ])("%s", (rule) => {
    const { allow, diagnostics, isReadOnly } = parse(["Glob", rule]);
    expect([diagnostics, allow.map(({ value }) => value), isReadOnly]).toEqual([[], ["Glob", rule], false]);
  });

  test.each([
    ["Raed", "is not a known tool", "did you mean `Read`?"],
    ["reviw", "is not a known tool", "did you mean `review`?"],
    ["Nonsense", "is not a known tool", "use a known tool: Read, Write"],
    ["Bash(git:* push)", "has `:*` before its end", "use `Bash(git:*)`"],
    ["Bash(pytest", "has unbalanced parentheses", "use `Bash(…)`"],
    ["Bash)pytest(", "has unbalanced parentheses", "use `Bash(…)`"],
    ["Edit()", "has empty parentheses", "use `Edit`"],
    ["Edit(a\\b)", "has a backslash in its path", "use `/` instead"],
    ["Edit(/a/../../b)", 'has ".." in its path', "use `/path` from the root"],
    ["WebFetch(docs.python.org)", "has no domain", "use `WebFetch(domain:docs.python.org)`"],
    ["WebSearch(x)", "takes no arguments", "use `WebSearch`"],
    ["mcp__a__*", "is not an MCP tool", "use `mcp__server`"],
  ])("%s is refused", (rule, problem, hint) => {
    const { allow, diagnostics } = parse([rule, "Read"]);
    expect(allow).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: "bad-tool", message: `the task has the tool rule \`${rule}\`, which ${problem}`, at },
    ]);
    expect(diagnostics[0]?.hint).toContain(hint);
  });

  test.each([
    ["review", ["Read", "Glob", "Grep"], true],
    ["docs", ["Read", "Write(/docs/**)", "Edit(/docs/**)", "WebFetch"], false],
    ["full", [], false],
  ])("the preset %s", (preset, rules, readOnly) => {
    const { allow, isReadOnly } = parse([preset]);
    expect([allow.map(({ value }) => value), isReadOnly]).toEqual([rules, readOnly]);
  });

  test("an implementation edits what its task owns", () => {
    const rules = (scope: string[]) =>
      parse(["implementation"], scope)
        .allow.map(({ value }) => value)
        .filter((rule) => rule.startsWith("Edit"));
    expect(rules(["a/{b,c}.py", "d.py::X", "e/"])).toEqual([
      "Edit(/a/b.py)",
      "Edit(/a/c.py)",
      "Edit(/d.py)",
      "Edit(/e/**)",
    ]);
    expect(rules([])).toEqual(["Edit"]);
  });
});
