import { expect, test } from "vitest";
import { taxDiff } from "../../../../test/support/tax-texts.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { diffBody, diffFigures } from "./diff-body.ts";

test("its figures are those of all files, and a file says what became of it", () => {
  expect(diffFigures(taxDiff)).toBe("4 files +9 -5");
  const view = { text: taxDiff, cutBytes: 0, notes: new Map(), wraps: false };
  const { lines, files } = diffBody(view, { width: 100, glyphs: glyphs.unicode });
  const heads = files.map((at) => plainText(lines[at] ?? []).split(/ {3,}/)[0]);
  expect(heads.slice(2)).toEqual([
    "src/tax/regions/new.ts  renamed from src/tax/old.ts",
    "logo.png  new  binary",
  ]);
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
