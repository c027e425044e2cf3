import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "./json.ts";

const HIDDEN = "\u009b31m \u0085 \u007f \u202e \u2066 \u200b \u200f \u2060 \ufeff \u2028 \u{e0041} \u00ad";

describe("jsonText", () => {
  it("writes what a terminal would obey or hide as escapes", () => {
    const text = jsonText({ [HIDDEN]: HIDDEN }, { ascii: false });
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(text).toContain("\\u009b31m \\u0085 \\u007f \\u202e");
    expect(text).toContain("\\udb40\\udc41");
    expect(JSON.parse(text)).toEqual({ [HIDDEN]: HIDDEN });
  });

  it("leaves letters as they are, unless only ASCII can be shown", () => {
    expect(jsonText("grün 日本 🚀", { ascii: false })).toBe('"grün 日本 🚀"\n');
    expect(jsonText("grün", { ascii: true })).toBe('"gr\\u00fcn"\n');
  });

  it("never changes the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, ascii) => {
        expect(JSON.parse(jsonText(value, { ascii }))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
