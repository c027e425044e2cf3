import { expect, test } from "vitest";
import { expandBraces, MAX_ALTERNATIVES } from "./braces.ts";

test.each([
  ["a", ["a"]],
  ["{a,b}", ["a", "b"]],
  ["x{a,b}y{c,d}", ["xayc", "xayd", "xbyc", "xbyd"]],
  ["{a,{b,c}d}", ["a", "bd", "cd"]],
  ["a{,b}", ["a", "ab"]],
  ["{1..3}", ["1", "2", "3"]],
  ["{2..-1}", ["2", "1", "0", "-1"]],
  ["v{a..c}", ["va", "vb", "vc"]],
  ["{C..A}", ["C", "B", "A"]],
  ["{a}", ["{a}"]],
  ["{{name}}/x", ["{{name}}/x"]],
  ["{a{b,c}}", ["{ab}", "{ac}"]],
  ["a,b}", ["a,b}"]],
  ["{[a,b],c}", ["[a,b]", "c"]],
  ["{a/b,c/}d", ["a/bd", "c/d"]],
  ["{..,a}", ["..", "a"]],
])("%s stands for %j", (text, texts) => {
  expect(expandBraces(text)).toEqual({ kind: "texts", texts });
});

test.each(["{a,b", "{a,{b}", "a{"])("%s is not closed", (text) => {
  expect(expandBraces(text)).toEqual({ kind: "unclosed" });
});

test.each(["{1..9..2}", "{01..10}", "{a..Z}", "{1..c}", "{aa..cc}"])("%s is no simple range", (text) => {
  expect(expandBraces(text)).toMatchObject({ kind: "undecided" });
});

test("products stop at the limit, however they come about", () => {
  expect(expandBraces("{a,b}".repeat(8))).toMatchObject({ texts: { length: MAX_ALTERNATIVES } });
  expect(expandBraces("{a,b}".repeat(9))).toMatchObject({ kind: "undecided" });
  expect(expandBraces("{a,b}".repeat(800))).toMatchObject({ kind: "undecided" });
  expect(expandBraces("{1..999999999}")).toMatchObject({ kind: "undecided" });
  expect(expandBraces(`{${"a,".repeat(300)}}`)).toMatchObject({ kind: "undecided" });
});

test("depth does no harm", () => {
  expect(expandBraces(`${"{".repeat(2000)}a${"}".repeat(2000)}`)).toMatchObject({ kind: "texts" });
});
