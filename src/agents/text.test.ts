import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addLine, cut, cutMiddle, cutStart, lastLine, oneLine } from "./text.ts";

describe("texts of strangers are cut", () => {
  test("at the end, at the start or in the middle, with a mark", () => {
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cutStart("abcdef", 4)).toBe("…def");
    expect(cutMiddle("abcdefghijkl", 8)).toBe("ab\n[… 4 characters left out …]\nghijkl");
    expect([cut("abc", 3), cutStart("abc", 3), cutMiddle("abc", 3)]).toEqual(["abc", "abc", "abc"]);
  });

  test("never through a character", () => {
    const smile = "😀😀😀😀";
    expect(cut(smile, 4)).toBe("😀…");
    expect(cutStart(smile, 4)).toBe("…😀");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 4, max: 40 }), (text, max) => {
        for (const short of [cut(text, max), cutStart(text, max), cutMiddle(text, max)]) {
          expect(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(short)).toBe(
            false,
          );
        }
        expect(cut(text, max).length).toBeLessThanOrEqual(max);
        expect(cutStart(text, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

test("one line has no breaks and no control characters", () => {
  expect(oneLine("  a\r\n\tb\u0000c\u001b[31m ", 20)).toBe("a b c [31m");
  expect(lastLine("first\nlast: it broke\n\n  \n", 20)).toBe("last: it broke");
  expect(lastLine("\n \n", 20)).toBe("");
});

test("of a text that grows line by line the end is kept, and never more than twice the size (I10)", () => {
  let text = "";
  for (let i = 0; i < 500; i += 1) {
    text = addLine(text, `line ${i}${i === 250 ? "x".repeat(1_000) : ""}`, 100);
    expect(text.length).toBeLessThanOrEqual(200);
  }
  expect(text.endsWith("line 498\nline 499\n")).toBe(true);
});
