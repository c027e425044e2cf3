import { expect, test } from "vitest";
import { analyzeCodes } from "./codes.ts";

test("each code is in the table once", () => {
  const codes = analyzeCodes.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test("a code is explained in a few plain sentences", () => {
  for (const { code, title, explanation } of analyzeCodes) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    const sentences = explanation.match(/[.?](\s|$)/g)?.length ?? 0;
    expect([code, sentences >= 1 && sentences <= 5]).toEqual([code, true]);
  }
});
