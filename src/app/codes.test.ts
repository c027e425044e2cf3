import { expect, test } from "vitest";
import { allCodes } from "./codes.ts";

test("every code can be explained, and means one thing", () => {
  const codes = allCodes.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(40);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  expect(
    allCodes.filter(({ title, explanation }) => title.length < 10 || !explanation.endsWith(".")),
  ).toEqual([]);
});
