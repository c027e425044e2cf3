import { expect, test } from "vitest";
import { type Overlap, overlap } from "./overlap.ts";
import { parseClaim } from "./parse.ts";
import { type Claim, looksLikeFile, symbolsMeet } from "./pattern.ts";

const claimsOverlap = (a: Claim, b: Claim): Overlap =>
  symbolsMeet(a.symbol, b.symbol) ? overlap(a.pattern, b.pattern) : { kind: "disjoint" };

const claim = (text: string) => {
  const result = parseClaim(text, "any");
  if (!result.ok) throw new Error(result.problem);
  return result.claim;
};

test.each([
  ["a.py", "a.py", "overlap"],
  ["a.py::A", "a.py::A", "overlap"],
  ["a.py::A", "a.py::A.b", "overlap"],
  ["a.py::A.b.c", "a.py::A", "overlap"],
  ["a.py::A", "a.py", "overlap"],
  ["a.py::A", "*.py::A", "overlap"],
  ["a.py::A", "**", "overlap"],
  ["a.py::A", "a.py::B", "disjoint"],
  ["a.py::A", "a.py::Ab", "disjoint"],
  ["a.py::A.b", "a.py::A.c", "disjoint"],
  ["a.py::A", "b.py::A", "disjoint"],
  ["a.py::A", "*.ts::A", "disjoint"],
  ["a.py::A", "@(a|b).py::A", "may-overlap"],
  ["a.py::A", "@(a|b).py::B", "disjoint"],
])("%s and %s: %s", (a, b, kind) => {
  expect(claimsOverlap(claim(a), claim(b)).kind).toBe(kind);
  expect(claimsOverlap(claim(b), claim(a)).kind).toBe(kind);
});

test.each([
  ["src/a.ts", true],
  ["Makefile", true],
  ["docker/Dockerfile", true],
  ["LICENSE", true],
  ["src", false],
  ["src/api", false],
  [".github", false],
  ["v1.d/x", false],
])("%s looks like a file: %s", (path, expected) => {
  expect(looksLikeFile(path)).toBe(expected);
});
