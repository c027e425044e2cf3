import { expect, test } from "vitest";
import { taxDiff } from "../../../../test/support/tax-texts.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { diffBody, diffFigures } from "./diff-body.ts";
import { diffFiles } from "./diff-files.ts";

test("a diff is read by file and hunk, with the numbers of its lines", () => {
  const [money, tax, moved, logo] = diffFiles(taxDiff);
  expect(money).toMatchObject({ path: "src/money/round.ts", kind: "changed", added: 5, removed: 2 });
  expect(money?.hunks[0]?.rows.map(({ before, after }) => [before, after])).toEqual([
    ...[
      [18, 18],
      [19, null],
      [20, null],
      [null, 19],
      [null, 20],
      [null, 21],
      [null, 22],
      [null, 23],
    ],
    ...[
      [21, 24],
      [22, 25],
    ],
  ]);
  expect(tax?.hunks.map(({ start, length, around }) => [start, length, around])).toEqual([
    [38, 7, "function lineTax"],
    [91, 3, ""],
  ]);
  expect(moved).toMatchObject({ from: "src/tax/old.ts", path: "src/tax/regions/new.ts", kind: "renamed" });
  expect(logo).toMatchObject({ path: "logo.png", kind: "new", isBinary: true });
  expect(diffFigures(taxDiff)).toBe("4 files +9 -5");
});

test("a line of a hunk is what its sign says, whatever it looks like", () => {
  const lines = [
    "--- a/x",
    "+++ b/x",
    "@@ -1,3 +1,3 @@",
    "--- a/y",
    "+++ b/y",
    " diff --git a/z b/z",
    "-@@",
    "+@@ -1 +1 @@",
  ];
  const [file, ...others] = diffFiles(`diff --git a/x b/x\n${lines.join("\n")}\n`);
  expect(others).toEqual([]);
  expect(file?.hunks).toHaveLength(1);
  expect(file?.hunks[0]?.rows.map(({ sign, text }) => sign + text)).toEqual(lines.slice(3));
});

test("fits any width, cut or wrapped, and says nothing that a terminal could obey", () => {
  const notes = new Map([["src/money/round.ts", "owned by money"]]);
  for (const width of [120, 80, 40, 20]) {
    for (const wraps of [true, false]) {
      const { lines } = diffBody(
        { text: taxDiff, cutBytes: 7, notes, wraps },
        { width, glyphs: glyphs.unicode },
      );
      const texts = lines.map(plainText);
      expect(Math.max(...texts.map(cells)), `${width} ${wraps}`).toBeLessThanOrEqual(Math.max(width, 30));
      expect(texts.join("\n")).not.toContain("\u001b");
    }
  }
  const [first] = diffBody(
    { text: taxDiff, cutBytes: 0, notes, wraps: false },
    { width: 80, glyphs: glyphs.ascii },
  ).lines;
  expect(plainText(first ?? [])).toMatch(/^src\/money\/round\.ts {2}! owned by money +\+5 -2$/);
});
