import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeRanges } from "./node-ranges.ts";
import { pythonRanges } from "./python-ranges.ts";
import { newestOf, type Ranges } from "./ranges.ts";

describe("ranges of Python", () => {
  test.each<[range: string, inside: string, outside: string]>([
    ["", "0 1.0 2024.1.1 1.0.post1", "1.0rc1 1.0.dev1"],
    [">=1.2,<2", "1.2 1.2.0 1.99.3 1.2.post1", "1.1.9 2.0 2 2.0.1 2.0a1"],
    ["~=1.4", "1.4 1.4.2 1.9 1.4.post2", "1.3.9 2.0 2.0.0"],
    ["~=1.4.2", "1.4.2 1.4.10", "1.4.1 1.5 1.5.0"],
    ["~=2.2.post3", "2.2.post3 2.3", "2.2 2.2.post2 3.0"],
    ["==1.2", "1.2 1.2.0 1.2.0.0 1.2+cpu", "1.2.1 1.2.post1 1.3"],
    ["==1.2.*", "1.2 1.2.9 1.2.post1", "1.20 1.3 1.1"],
    ["==1.*", "1 1.0 1.99", "2 0.9"],
    ["!=1.2.*", "1.1 1.3", "1.2 1.2.5"],
    ["!=1.5", "1.4 1.5.1", "1.5 1.5.0"],
    ["===1.0-x", "1.0-x 1.0-X", "1.0"],
    [">1.7", "1.7.1 1.8", "1.7 1.7.0 1.7.post2"],
    [">1.7.post2", "1.7.post3 1.7.0.1", "1.7 1.7.post2"],
    ["<2.0", "1.9.9 1.9.post1", "2.0 2.0rc1 2.0.dev3"],
    ["<2.0rc2", "2.0rc1 2.0a1 1.9", "2.0rc2 2.0"],
    [">=1.0a1,<2.0", "1.0b1 1.9", "2.0rc1 2.0.dev1"],
    [">=2.0b1", "2.0b1 2.0rc1 2.0 2.1a1", "2.0a9 1.9"],
    ["<=1.0", "1.0 1.0+local 0.9", "1.0.post1 1.1"],
    ["==1.0+cpu", "1.0+cpu", "1.0 1.0+gpu"],
    [">=1!0.5", "1!0.5 1!2", "2024.1 0.6"],
    ["(>=1, <2)", "1.5", "2"],
  ])("%s", (range, inside, outside) => {
    const isIn = (version: string) => pythonRanges.satisfies(version, range);
    expect(inside.split(" ").filter((version) => !isIn(version))).toEqual([]);
    expect(outside.split(" ").filter(isIn)).toEqual([]);
  });

  test("versions are in the order of PEP 440", () => {
    const inOrder =
      "1.0.dev1 1.0a1.dev2 1.0a1 1.0a2 1.0b1 1.0rc1 1.0 1.0+abc 1.0+5 1.0.post1.dev1 1.0.post1 1.0.1 1.1 1.10 1!0.1";
    const shuffled = inOrder.split(" ").toSorted();
    expect(shuffled.toSorted(pythonRanges.compare).join(" ")).toBe(inOrder);
    for (const [a, b] of [
      ["1.0", "1.0.0"],
      ["v1.0-ALPHA.1", "1.0a1"],
      ["1.0-1", "1.0.post1"],
      ["1.0c2", "1.0rc2"],
    ] as const) {
      expect([a, pythonRanges.compare(a, b)]).toEqual([a, 0]);
    }
  });

  test.each([
    [">=1,<2", ">=2", true],
    [">=1,<=2", ">=2", false],
    ["==1.4.*", ">=1.5", true],
    ["==1.4.*", "~=1.4", false],
    ["==1.4.*", ">1.4.9", false],
    [">1.4", "<1.4.1", false],
    ["==2.0", "!=2.0", true],
    [">1.0.post1", "<1.0.post3", false],
    ["<1", "", false],
    ["<0.1", "", false],
    [">=2.0", "<2.0rc1", true],
    ["===odd", "===odd", false],
    ["===odd", ">=1", true],
    ["<1", "<2", false],
    ["<=0", "", false],
    [">=1.0,<1.5", "!=1.*", true],
  ])("%s and %s: disjoint is %s", (a, b, isDisjoint) => {
    expect([pythonRanges.areDisjoint(a, b), pythonRanges.areDisjoint(b, a)]).toEqual([
      isDisjoint,
      isDisjoint,
    ]);
  });
});

test.each([
  [["^3.22.0", ">=3.23"], ">=3.23 ^3.22.0", ["3.23.0"], ["3.22.0", "4.0.0"]],
  [["^3.22.0", "^3.22.0", ""], "^3.22.0", ["3.22.0"], ["4.0.0"]],
  [["^3", "^3.2.0"], "^3.2.0", ["3.2.0"], ["3.1.0"]],
  [["^1 || ^2", ">=1.5 <2.5"], "^1 >=1.5 <2.5 || ^2 >=1.5 <2.5", ["1.6.0", "2.1.0"], ["1.0.0", "2.6.0"]],
  [["1.0.0 - 2.0.0", ">=1.5.0"], ">=1.0.0 <=2.0.0 >=1.5.0", ["1.5.0"], ["1.4.0", "2.0.1"]],
])("ranges of npm as one: %s", (ranges, text, inside, outside) => {
  const joined = nodeRanges.joined(ranges);
  const parts = (range: string) => range.split(" ").toSorted();
  expect(parts(joined)).toEqual(parts(text));
  expect(inside.every((version) => nodeRanges.satisfies(version, joined))).toBe(true);
  expect(outside.some((version) => nodeRanges.satisfies(version, joined))).toBe(false);
});

test("many alternatives of many ranges stay few, and mean the same", () => {
  const of = (minor: number) =>
    Array.from({ length: 8 }, (_, major) => `^${major + 1}.${minor}.0`).join(" || ");
  const joined = nodeRanges.joined([0, 1, 2, 3, 4].map(of).map((range, i) => `${range} || ^${20 + i}.0.0`));
  expect(joined.length).toBeLessThan(1_000);
  for (const [version, isIn] of [
    ["1.4.0", true],
    ["8.9.0", true],
    ["8.3.0", false],
    ["20.0.0", false],
  ] as const)
    expect([version, nodeRanges.satisfies(version, joined)]).toEqual([version, isIn]);
  // Where each overlaps with each, the newest are kept: none of them is wrong, and there are others.
  const open = Array.from({ length: 12 }, (_, i) => `>=${i}.0.0 <=${i + 20}.0.0`).join(" || ");
  const some = nodeRanges.joined([open, open.replaceAll(".0.0", ".1.0"), open.replaceAll(".0.0", ".2.0")]);
  expect(some.split("||").length).toBeLessThanOrEqual(32);
  expect(nodeRanges.satisfies("25.0.0", some)).toBe(true);
});

test("the newest is a stable one, unless there is none", () => {
  const versions = ["1.9.0", "1.10.0", "2.0.0-rc.1", "1.2.0"];
  expect(newestOf(nodeRanges, versions, ["^1", ">=1.2"])).toBe("1.10.0");
  expect(newestOf(nodeRanges, versions, [">=2.0.0-rc.0"])).toBe("2.0.0-rc.1");
  expect(newestOf(nodeRanges, versions, ["^3"])).toBeNull();
  expect(newestOf(pythonRanges, ["1.9", "1.10", "2.0rc1"], [">=1"])).toBe("1.10");
});

const part = fc.integer({ min: 0, max: 3 });
const release = fc.tuple(part, part, part).map((parts) => parts.join("."));
const python = fc
  .tuple(fc.constantFrom(">=", "<", "<=", ">", "!=", "==", "~="), release, fc.boolean())
  .map(([operator, version, isPrefix]) => {
    const takesPrefix = isPrefix && /^[!=]=$/.test(operator);
    return takesPrefix ? `${operator}${version.slice(0, 3)}.*` : operator + version;
  });
const pythonRange = fc.array(python, { minLength: 1, maxLength: 3 }).map((clauses) => clauses.join(","));
const node = fc.tuple(fc.constantFrom("^", "~", ">=", "<", "", "<="), release).map((words) => words.join(""));
const nodeRange = fc
  .array(fc.array(node, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  .map((all) => all.map((words) => words.join(" ")).join(" || "));

test.each<[string, Ranges, fc.Arbitrary<string>]>([
  ["Python", pythonRanges, pythonRange],
  ["Node", nodeRanges, nodeRange],
])(
  "of %s: one range for two has exactly the versions of both, and none where they are disjoint",
  (_, ranges, any) => {
    fc.assert(
      fc.property(any, any, release, (a, b, version) => {
        const isInBoth = ranges.satisfies(version, a) && ranges.satisfies(version, b);
        const joined = ranges.joined([a, b]);
        expect([joined, ranges.satisfies(version, joined)]).toEqual([joined, isInBoth]);
        if (isInBoth) expect(ranges.areDisjoint(a, b)).toBe(false);
      }),
      { numRuns: 800 },
    );
  },
);
