import fc from "fast-check";
import { expect, test } from "vitest";
import { indexText } from "../text-index.ts";
import { readJson } from "./json-tree.ts";
import { plain, type Tree } from "./tree.ts";

const json = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !/"(<<|__proto__)"/.test(text));

function scalars(tree: Tree): Extract<Tree, { kind: "scalar" }>[] {
  if (tree.kind === "scalar") return [tree];
  return (tree.kind === "list" ? tree.items : [...tree.entries.values()].map(({ value }) => value)).flatMap(
    scalars,
  );
}

test("any JSON becomes the value that JSON.parse gives, and each part knows its place", () => {
  fc.assert(
    fc.property(json, fc.constantFrom("", " ", "\r\n"), (text, blank) => {
      const padded = blank + text + blank;
      const { tree, problem, diagnostics } = readJson(indexText("f", padded), 32);
      expect([problem, diagnostics]).toEqual([null, []]);
      expect(JSON.parse(JSON.stringify(plain(tree as Tree)))).toEqual(JSON.parse(text));
      expect(padded.slice(tree?.start, tree?.end)).toBe(text);
      for (const { start, end, value } of scalars(tree as Tree)) {
        expect(JSON.parse(padded.slice(start, end))).toEqual(value);
      }
    }),
    { numRuns: 500 },
  );
});

test("keys have places, also those that are used twice", () => {
  const { tree, diagnostics } = readJson(indexText("f", '{ "a\\n": 1, "b" : [], "a\\u000a": 2 }'), 2);
  expect(tree).toMatchObject({ kind: "map", isPartial: false });
  expect(
    tree?.kind === "map" && [...tree.entries.values()].map(({ keyStart, keyEnd }) => [keyStart, keyEnd]),
  ).toEqual([
    [2, 7],
    [12, 15],
  ]);
  expect(diagnostics).toMatchObject([{ code: "duplicate-key", at: { start: { col: 23 } } }]);
});

test("what is too deep is not read further", () => {
  const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(readJson(indexText("f", text), 3)).toEqual({
    tree: null,
    problem: { reason: "too-deep", offset: 3 },
    diagnostics: [],
  });
});
