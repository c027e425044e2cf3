import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "./visible.ts";
import { cells, cutEnd, cutMiddle, cutPath, pad, padStart, wrap, wrapWords } from "./width.ts";

describe("cells", () => {
  it.each([
    ["plain", 5],
    ["", 0],
    ["…━╍─", 4],
    ["日本語", 6],
    ["한국어", 6],
    ["ｗｉｄｅ", 8],
    ["e\u0301", 1],
    ["नि", 1],
    ["🚀", 2],
    ["𝐀", 1],
    ["a𝐀日", 4],
    ["👩\u200d💻", 4],
    ["⚙\ufe0f", 1],
    ["ü", 1],
  ])("of %j are %i", (text, width) => {
    expect(cells(text)).toBe(width);
  });
});

describe("cuts", () => {
  it("take the end of a sentence, the middle of an id, the front of a path", () => {
    expect(cutEnd("a long sentence", 8, "…")).toBe("a long …");
    expect(cutEnd("fits", 4, "…")).toBe("fits");
    expect(cutMiddle("checkout-page-layout", 9, "…")).toBe("chec…yout");
    expect(cutPath("src/checkout/AddressForm.tsx", 25, "…")).toBe("…/AddressForm.tsx");
    expect(cutPath("src/checkout/AddressForm.tsx", 26, "…")).toBe("…/checkout/AddressForm.tsx");
    expect(cutPath("no-folder-at-all.tsx", 10, "…")).toBe("…t-all.tsx");
  });

  it("never give more than the width, and leave what fits as it is", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "/", "日", "é", "e\u0301", "🚀", " ") });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 3, max: 20 }),
        fc.constantFrom("…", "..."),
        (text, width, mark) => {
          for (const cut of [cutEnd, cutMiddle, cutPath]) {
            const result = cut(text, width, mark);
            expect(cells(result)).toBeLessThanOrEqual(width);
            if (cells(text) <= width) expect(result).toBe(text);
          }
        },
      ),
    );
  });
});

describe("pad and wrap", () => {
  it("fill up by cells", () => {
    expect(pad("日本", 6)).toBe("日本  ");
    expect(padStart("7", 3)).toBe("  7");
    expect(pad("longer", 3)).toBe("longer");
  });

  it("break between parts only", () => {
    expect(wrap(["aa", "bb", "cc"], "  ", 6)).toEqual(["aa  bb", "cc"]);
    expect(wrap(["a-very-long-part", "b"], ", ", 6)).toEqual(["a-very-long-part", "b"]);
    expect(wrap([], ", ", 6)).toEqual([]);
    expect(wrapWords("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrapWords("a verylongword b", 5)).toEqual(["a", "veryl", "ongwo", "rd b"]);
  });
});

describe("visible", () => {
  it("spells out what a terminal would obey or hide", () => {
    expect(visible("a\u001b[31mb\u0007\u009b\r\n\t")).toBe(
      "a<U+001B>[31mb<U+0007><U+009B><U+000D><U+000A><U+0009>",
    );
    expect(visible("\u202eevil\u2066\u200b\ufeff\ud800\u{e0041}")).toBe(
      "<U+202E>evil<U+2066><U+200B><U+FEFF><U+D800><U+E0041>",
    );
  });

  it("leaves scripts and emoji alone", () => {
    for (const text of ["Grüße", "日本語", "👩\u200d💻", "می\u200cخواهم", "e\u0301"])
      expect(visible(text)).toBe(text);
  });
});
