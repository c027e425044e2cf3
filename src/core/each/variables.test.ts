import fc from "fast-check";
import { expect, test } from "vitest";
import type { Binding } from "../draft.ts";
import { fill, usesIn } from "./variables.ts";

const file = (value: string | null): Binding[] => [{ name: "file", from: "files", value }];

test.each([
  ["{file}", "src/a.test.js"],
  ["{file.name}", "a.test.js"],
  ["{file.stem}", "a.test"],
  ["{file.dir}", "src"],
  ["{file.slug}", "src--a.test.js"],
  ["{file}{file.stem}", "src/a.test.jsa.test"],
  ["{a,{file.stem}}", "{a,a.test}"],
])("%s is %s", (text, expected) => {
  expect(fill(text, file("src/a.test.js"))).toBe(expected);
});

test.each([
  ["${file}"],
  ["{{file}}"],
  ["{ file }"],
  ["{files}"],
  ["{File}"],
  ["{file.length}"],
  ["{file.constructor}"],
  ["{}"],
  ["function f() { return {file: 1}; }"],
])("%s is code, and stays", (text) => {
  expect(fill(text, file("src/a.js"))).toBe(text);
});

test.each([
  ["a.js", ".", "a.js", "a"],
  [".env", ".", ".env", ".env"],
  ["a/b/", "a", "b", "b"],
  ["a/b.c/d", "a/b.c", "d", "d"],
  ["a\nb/c.d", "a\nb", "c.d", "c"],
])("the parts of %j are those of a path", (value, ...parts) => {
  expect(["dir", "name", "stem"].map((part) => fill(`{file.${part}}`, file(value)))).toEqual(parts);
});

test("a value is put in as it is, whatever replacement texts usually mean", () => {
  expect(fill("<{file}>", file("$& $1 {file}"))).toBe("<$& $1 {file}>");
});

test("a value that is not known leaves the text as it is written", () => {
  expect(fill("{file} {file.dir}", file(null))).toBe("{file} {file.dir}");
});

test("a text without variables is not changed, and none is left in any other", () => {
  const pieces = fc.constantFrom("{file}", "{file.dir}", "{file.stem}", "{", "}", "$", "x", " ", "{x}", "\n");
  fc.assert(
    fc.property(
      fc.array(pieces),
      fc.string({ unit: fc.constantFrom("a", "/", ".", "'", " ", "$") }),
      (list, value) => {
        const text = list.join("");
        const { used } = usesIn(text, ["file"]);
        const filled = fill(text, file(value));
        if (used.length === 0) expect(filled).toBe(text);
        // What a value joins with what stands around it may look like a variable; it is none.
        if (!/[{$]\{|\}\}/.test(text)) expect(usesIn(filled, ["file"]).used).toEqual([]);
      },
    ),
    { numRuns: 1_000 },
  );
});
