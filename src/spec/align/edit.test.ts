import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { indexText } from "../../formats/text-index.ts";
import { readJson } from "../../formats/yaml/json-tree.ts";
import type { SpecDependencies } from "../spec-contents.ts";
import { withDependencies } from "./edit.ts";

function edited(text: string, dependencies: SpecDependencies): string {
  const index = indexText("manifest.json", text);
  const { tree } = readJson(index, 32);
  if (tree === null) throw new Error(text);
  return withDependencies({ index, tree }, dependencies);
}

const MANIFEST = `{
  "name":   "kept as it is",
  "dependencies": {
    "python": {
      "add": [
        "a>=1",
        "b==2.0"
      ]
    },
    "node": {"add": ["x", "y@1.0.0"],  "add_dev":["z"]}
  }, "waves": []
}
`;

test.each<[string, SpecDependencies, [string, string][]]>([
  [
    "items are replaced one by one",
    { python: { add: ["a==1.5", "b==2.0"] }, node: { add: ["x@3.0.0", "y@1.0.0"], add_dev: ["z"] } },
    [
      ['"a>=1"', '"a==1.5"'],
      ['["x",', '["x@3.0.0",'],
    ],
  ],
  [
    "a list that becomes shorter is laid out as it was",
    { python: { add: ["b==2.0"] }, node: { add: ["x", "y@1.0.0"] } },
    [
      ['        "a>=1",\n', ""],
      ['"add_dev":["z"]', '"add_dev":[]'],
    ],
  ],
  [
    "a list that is new comes first, as its neighbours are written",
    {
      python: { upgrade: ["a==1.5"], add: ["b==2.0"] },
      node: { remove: ["q"], add: ["x", "y@1.0.0"], add_dev: ["z"] },
    },
    [
      ['"add": [\n        "a>=1",', '"upgrade": [\n        "a==1.5"\n      ],\n      "add": ['],
      ['{"add"', '{"remove": ["q"],"add"'],
    ],
  ],
  ["nothing", { python: { add: ["a>=1", "b==2.0"] }, node: { add: ["x", "y@1.0.0"], add_dev: ["z"] } }, []],
])("in a manifest %s", (_, dependencies, changes) => {
  const expected = changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, MANIFEST);
  expect(edited(MANIFEST, dependencies)).toBe(expected);
});

test("long runs of blanks cost what they are long", () => {
  const blanks = " ".repeat(150_000);
  const text = `{"x": [${blanks}1],${blanks}"dependencies": {"node": {"add": [\n${blanks}"a",${blanks}"b"]}}}`;
  const before = performance.now();
  expect(JSON.parse(edited(text, { node: { add: ["c"], remove: ["d"] } })).dependencies.node).toEqual({
    ...{ remove: ["d"], add: ["c"] },
  });
  expect(performance.now() - before).toBeLessThan(1_000);
});

const specs = fc.array(fc.constantFrom("a@1", "b", '"q"', "c\\d", "é"), { maxLength: 3 });
const lists = fc.record({ remove: specs, upgrade: specs, add: specs, add_dev: specs }, { requiredKeys: [] });
const indent = fc.constantFrom(undefined, 1, 2, "\t");

test("whatever the lists were and become: they say what they should, and all around them is the same", () => {
  fc.assert(
    fc.property(lists, lists, fc.string({ unit: anyCharacter }), indent, (before, after, other, space) => {
      const around = { first: [before], name: other, dependencies: { node: before } };
      const text = JSON.stringify({ ...around, last: { add: ["x"] } }, null, space);
      const result = JSON.parse(edited(text, { node: after }));
      const { dependencies, ...rest } = result;
      const { dependencies: _, ...restBefore } = JSON.parse(text);
      expect(rest).toEqual(restBefore);
      for (const list of ["remove", "upgrade", "add", "add_dev"] as const) {
        // Where the manifest has no list at all, there is no place for one.
        if (Object.keys(before).length > 0) expect(dependencies.node[list] ?? []).toEqual(after[list] ?? []);
      }
    }),
  );
});
