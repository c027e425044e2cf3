import { expect, it } from "vitest";
import { parseDiff } from "../../../report/diff/parse-diff.ts";
import { codeLines } from "./code-lines.ts";

const linesOf = (...lines: string[]) => {
  const text = ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", ...lines, ""].join("\n");
  return parseDiff(text)[0]?.hunks.flatMap((hunk) => codeLines(hunk, null)) ?? [];
};

it("lines that differ in nothing but their line break say which they have", () => {
  const changed = linesOf(" same\r", "-one\r", "+one");
  expect(changed.map(({ ending }) => ending)).toEqual([null, "CRLF", "LF"]);
});

it("what changed inside a line is marked where lines end with a carriage return, too", () => {
  const changed = linesOf("-a long line one\r", "+a long line two\r");
  expect(changed.map(({ ending, part }) => [ending, part?.from])).toEqual([
    [null, 12],
    [null, 12],
  ]);
});
