import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../test/support/cpu.ts";
import { tooMuchGrowth } from "../../../test/support/growth.ts";
import { indexText } from "../text-index.ts";
import { parseYaml } from "./parse.ts";
import { plain } from "./tree.ts";

const parse = (text: string, { maxDepth = 32, json = false } = {}) => {
  const caps = { maxPlanBytes: 1e9, maxDepth, maxTasks: 1e9, maxPromptBytes: 1e9 };
  return parseYaml(indexText("f", text), { part: { start: 0, end: text.length }, caps, json });
};
const value = (text: string, options?: Parameters<typeof parse>[1]) => {
  const { tree } = parse(text, options);
  return tree && plain(tree);
};
const codes = (text: string, options?: Parameters<typeof parse>[1]) =>
  parse(text, options).diagnostics.map(({ code }) => code);

describe("YAML", () => {
  test("becomes plain data", () =>
    expect(value('a: [1, "x", true, ~, 1.5]\nb:\n  c: |\n    text\n')).toEqual({
      a: [1, "x", true, null, 1.5],
      b: { c: "text\n" },
    }));
  test("gives the same data with Windows line ends", () =>
    expect(value("a:\r\n  - b: >\r\n      one\r\n      two\r\n  - c\r\n")).toEqual({
      a: [{ b: "one two\n" }, "c"],
    }));
  test("yes, no, on and dates are texts", () =>
    expect(value("[yes, no, on, 2026-01-01]")).toEqual(["yes", "no", "on", "2026-01-01"]));
  test("a key is the text that was written", () => expect(value("1.10: a\n")).toEqual({ "1.10": "a" }));
  test.each(["? [a]\n: 1\n", "{ { a: 1 }: 2 }", "&a x: 1\n*a : 2\n"])(
    "%j has a key that is no text",
    (text) => expect(codes(text)).toEqual(["yaml-syntax"]),
  );
  test.each(["!!binary aGk=", "!!set { a }", "!!timestamp 2026-01-01", "!!omap [a: 1]", "!x y"])(
    "%s is refused",
    (text) => expect(codes(text)).toEqual(["yaml-tag"]),
  );
  test("keys are texts", () => expect(value("1: a\ntrue: b\n")).toEqual({ 1: "a", true: "b" }));
  test("records have no prototype", () => expect(Object.getPrototypeOf(value("a: 1"))).toBeNull());
  test("an alias repeats its anchor", () => expect(value("a: &x [1]\nb: *x\n")).toEqual({ a: [1], b: [1] }));
  test("an anchor may be set again", () => expect(value("[&x 1, *x, &x 2, *x]")).toEqual([1, 1, 2, 2]));
  test("a comment alone is nothing", () => expect(parse("# x\n")).toEqual({ tree: null, diagnostics: [] }));
  test("a document end mark is fine", () => expect(value("a: 1\n...\n")).toEqual({ a: 1 }));
});

describe("depth", () => {
  const nested = {
    "flow lists": (n: number) => "[".repeat(n) + "]".repeat(n),
    "flow maps": (n: number) => "{a: ".repeat(n) + "}".repeat(n),
    "block lists": (n: number) => `${"- ".repeat(n)}x`,
    "block maps": (n: number) => Array.from({ length: n }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    "complex keys": (n: number) => `${"? ".repeat(n)}x`,
    "unclosed lists": (n: number) => "[".repeat(n),
  };
  test.each(Object.entries(nested))("%s of 32 levels pass, of 33 do not", (kind, text) => {
    if (!/complex|unclosed/.test(kind)) expect(codes(text(32))).toEqual([]);
    expect(codes(text(33))).toEqual(["too-deep"]);
  });
  test.each(Object.entries(nested))("5,000 levels of %s are refused at once", (_, text) => {
    const start = cpuMs();
    expect(codes(text(5_000))).toEqual(["too-deep"]);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });
  test("a text full of brackets has no depth", () => expect(codes(`a: "${"[".repeat(5_000)}"`)).toEqual([]));
  test("what the parser itself cannot bear is said, too", () =>
    expect(codes("[".repeat(20_000) + "]".repeat(20_000), { maxDepth: 1e6 })).toContain("too-deep"));
  test("aliases count as if written out", () => {
    const chain = ["- &a0 [x]", ...Array.from({ length: 40 }, (_, i) => `- &a${i + 1} [*a${i}]`)].join("\n");
    expect(codes(chain)).toEqual(["yaml-alias"]);
    expect(codes(chain, { maxDepth: 60 })).toEqual([]);
  });
});

describe("what would cost too much", () => {
  test("a bomb of aliases is refused without being unpacked", () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `- &a${i + 1} [${Array(10).fill(`*a${i}`).join(", ")}]`,
    );
    const start = cpuMs();
    expect(codes(["- &a0 x", ...levels].join("\n"))).toEqual(["yaml-alias"]);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });
  test("fifty thousand keys are compared in linear time", () => {
    const start = cpuMs();
    expect(codes(Array.from({ length: 50_000 }, (_, i) => `k${i}: 1`).join("\n"))).toEqual([]);
    expect(cpuMs() - start).toBeLessThan(5_000);
  });
  test.each(["a{b}c ", "{a}b,", "*a b, ", "!x, ", "@", "[a]b,"])(
    "thousands of %j without quotes are no more work than anything else",
    async (piece) => {
      const work = (size: number) => {
        const found = parse(`plait: [${piece.repeat(size / piece.length)}]`);
        expect(found.diagnostics.length).toBeGreaterThan(0);
        expect(found.diagnostics.length).toBeLessThan(100);
      };
      expect(await tooMuchGrowth(work, { from: 1_600, to: 25_600 })).toBeNull();
    },
  );

  test("a file of nothing but errors gives the first few", () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 7;
    expect(codes(`[${",".repeat(50_000)}]`)).toHaveLength(20);
    expect(Error.stackTraceLimit).toBe(7);
    Error.stackTraceLimit = limit;
  });
});

describe("JSON", () => {
  const check = (text: string) => codes(text, { json: true });

  test("is taken with tabs and Windows line ends", () =>
    expect(value('{\r\n\t"a": [1, {"b": null}],\r\n\t"c": "x\\n\\u00e9"\r\n}', { json: true })).toEqual({
      a: [1, { b: null }],
      c: "x\né",
    }));
  test.each([
    ["a trailing comma", '{"a": [1,]}'],
    ["a YAML comment", '{"a": 1} # x'],
    ["a JavaScript comment", '{"a": 1 /* x */}'],
    ["an unquoted key", "{a: 1}"],
    ["single quotes", "{'a': 1}"],
    ["an anchor", '{"a": &x 1}'],
    ["a tag", '{"a": !!str 1}'],
    ["a line break in a text", '{"a": "x\ny"}'],
    ["a missing comma", '{"a": 1 "b": 2}'],
    ["a missing bracket", '{"a": [1}'],
    ["a cut-off file", '{"a": [1,'],
    ["block style", "a: 1\n"],
    ["a leading zero", '{"a": 01}'],
  ])("%s is refused", (_, text) => expect(new Set(check(text))).toEqual(new Set(["json-syntax"])));
});
