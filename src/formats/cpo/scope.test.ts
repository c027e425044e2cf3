import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseScope, type ScopeWord } from "./scope.ts";

const read = (text: string) => {
  const { words, entries } = parseScope(text, { start: 0, end: text.length });
  return {
    words: [...words],
    entries: entries.map(({ word, text: path, isProse }) => `${word} ${path}${isProse ? " (prose)" : ""}`),
  };
};

describe("a scope", () => {
  test.each<[string, string, string[]]>([
    ["one path", "CREATE: a.py", ["CREATE a.py"]],
    ["several", "CREATE: a.py, b/c.py,d.py", ["CREATE a.py", "CREATE b/c.py", "CREATE d.py"]],
    [
      "braces hold their commas",
      "CREATE: apps/{models,views}.py, x/*.py",
      ["CREATE apps/{models,views}.py", "CREATE x/*.py"],
    ],
    ["braces in braces", "CREATE: a/{b,{c,d}}.py, e.py", ["CREATE a/{b,{c,d}}.py", "CREATE e.py"]],
    ["a symbol", "MODIFY: config/urls.py::urlpatterns", ["MODIFY config/urls.py::urlpatterns"]],
    ["a method", "MODIFY: a.py::A.b, a.py::c", ["MODIFY a.py::A.b", "MODIFY a.py::c"]],
    ["several lines of one word", "MODIFY: a.py::A\nMODIFY: a.py::B", ["MODIFY a.py::A", "MODIFY a.py::B"]],
    ["a remark behind a #", "MODIFY: a.py::A   # owns A, wholly", ["MODIFY a.py::A"]],
    ["a remark behind a dash", "CREATE: a.py - the model", ["CREATE a.py"]],
    ["a remark in parentheses", "BOUNDARY: a/ (of task-002, task-003), b/", ["BOUNDARY a/", "BOUNDARY b/"]],
    ["code", "CREATE: `a.py`, `b c.py`", ["CREATE a.py", "CREATE b c.py"]],
    ["quotes", "CREATE: \"a.py\", 'b.py'", ["CREATE a.py", "CREATE b.py"]],
    ["bold words", "**CREATE**: a.py\n**MODIFY:** b.py", ["CREATE a.py", "MODIFY b.py"]],
    ["bullets", "**CREATE**:\n- `a.py` - the model, with tests\n- b.py", ["CREATE a.py", "CREATE b.py"]],
    ["bullets with stars", "CREATE:\n* a.py\n* `b.py`: why", ["CREATE a.py", "CREATE b.py"]],
    ["bullets behind a blank line", "CREATE:\n\n- a.py\n\nMODIFY:\n\n- b.py", ["CREATE a.py", "MODIFY b.py"]],
    ["directives that are bullets", "- CREATE: a.py\n- MODIFY: b.py", ["CREATE a.py", "MODIFY b.py"]],
    ["headings", "### CREATE\n- a.py\n### MODIFY\n- b.py", ["CREATE a.py", "MODIFY b.py"]],
    ["indented lines", "CREATE:\n  a.py\n  b.py", ["CREATE a.py", "CREATE b.py"]],
    ["a comma at the end", "CREATE: a.py,\nb.py", ["CREATE a.py", "CREATE b.py"]],
    ["a fence around it", "```yaml\nCREATE: a.py\n```\nwords", ["CREATE a.py"]],
    ["Windows line ends", "CREATE: a.py\r\nMODIFY: b.py\r\n", ["CREATE a.py", "MODIFY b.py"]],
    ["escaped stars", "BOUNDARY: apps/orders/\\*", ["BOUNDARY apps/orders/*"]],
    ["words for nothing", "CREATE: (none)\nMODIFY: None\nBOUNDARY: -", []],
    ["more words for nothing", "CREATE: none (new files only)\nMODIFY: n/a\nBOUNDARY:\n- _none_", []],
    [
      "prose",
      "BOUNDARY: a/*, everything else in the repository",
      ["BOUNDARY a/*", "BOUNDARY everything else in the repository (prose)"],
    ],
    ["words between", "This task is about users.\nCREATE: a.py\nNothing else is touched.", ["CREATE a.py"]],
  ])("%s", (_, text, entries) => expect(read(text).entries).toEqual(entries));

  test("a directive that names nothing is there", () =>
    expect(read("CREATE: a.py\nBOUNDARY: (none)").words).toEqual(["CREATE", "BOUNDARY"]));

  test("places are those of the file", () => {
    const text = "x\nCREATE: a.py, `b.py` - why\nMODIFY:\n  - c.py (why)";
    const { entries } = parseScope(text, { start: 2, end: text.length });
    expect(entries.map(({ start, end }) => text.slice(start, end))).toEqual(["a.py", "b.py", "c.py"]);
  });
});

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,6}$/).filter((word) => word !== "none");
const segment = fc.oneof(
  { weight: 4, arbitrary: name },
  fc.constantFrom("*", "**", "test_*", "?x", "[ab]c"),
  fc.array(name, { minLength: 2, maxLength: 3 }).map((names) => `{${names.join(",")}}`),
);
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), name, fc.constantFrom(".py", ".tsx", "/"))
  .map(([folders, file, end]) => [...folders, file + end].join("/"));
const symbol = fc.option(fc.tuple(name, fc.option(name)), { nil: null });
const claim = fc
  .tuple(path, symbol)
  .map(([file, own]) => (own && !file.endsWith("/") ? `${file}::${own.filter(Boolean).join(".")}` : file));
const words: readonly ScopeWord[] = ["CREATE", "MODIFY", "BOUNDARY"];
const scope = fc.tuple(...words.map(() => fc.array(claim, { maxLength: 4 })));
const remark = fc.constantFrom("", " - why, and how", " (see task-002, task-003)", "   # why");

describe("whatever a scope says is read as it was written", () => {
  const expected = (lists: readonly string[][]) =>
    words.flatMap((word, i) => (lists[i] ?? []).map((one) => `${word} ${one}`));

  test("in one line a directive", () => {
    fc.assert(
      fc.property(scope, fc.constantFrom(", ", ",", " , "), (lists, comma) => {
        const text = words.map((word, i) => `${word}: ${lists[i]?.join(comma) || "(none)"}`).join("\n");
        expect(read(text).entries).toEqual(expected(lists));
      }),
      { numRuns: 100 },
    );
  });

  test("in lists", () => {
    fc.assert(
      fc.property(scope, remark, fc.boolean(), (lists, why, isCode) => {
        const item = (one: string) => `- ${isCode ? `\`${one}\`` : one}${why}`;
        const lines = words.flatMap((word, i) => [`**${word}**:`, ...(lists[i] ?? []).map(item), ""]);
        expect(read(lines.join("\n")).entries).toEqual(expected(lists));
      }),
      { numRuns: 100 },
    );
  });
});
