import { expect, test } from "vitest";
import { checkChange } from "./change.ts";
import type { PathPattern } from "./pattern.ts";

const owns = (...patterns: string[]) =>
  patterns.map((pattern) => ({ mode: "any" as const, pattern: pattern as PathPattern, symbol: null }));
const paths = (...patterns: string[]) => patterns as PathPattern[];

test("a change inside the claims is no finding", () => {
  expect(checkChange(owns("src/", "README.md"), [], ["src/a/b.ts", "README.md"])).toEqual([]);
});

test("a change outside all claims is one, in the order of the paths", () => {
  expect(checkChange(owns("src/api", "docs/*.md"), [], ["z.ts", "src/api/x.ts", "docs/a/b.md"])).toEqual([
    { kind: "outside", path: "z.ts" },
    { kind: "outside", path: "docs/a/b.md" },
  ]);
});

test("a task without claims may change everything but its boundary", () => {
  expect(checkChange([], paths("src/core/**"), ["src/a.ts", "src/core/b.ts"])).toEqual([
    { kind: "boundary", path: "src/core/b.ts", pattern: "src/core/**" },
  ]);
});

test("a path outside the claims and inside the boundary is told once, as the boundary", () => {
  expect(checkChange(owns("src/"), paths("lib"), ["lib/a.ts"])).toEqual([
    { kind: "boundary", path: "lib/a.ts", pattern: "lib" },
  ]);
});

test("a claim on a symbol counts for its whole file", () => {
  const claim = { mode: "modify" as const, pattern: "a.py" as PathPattern, symbol: "User" };
  expect(checkChange([claim], [], ["a.py", "b.py"])).toEqual([{ kind: "outside", path: "b.py" }]);
});

test("where a pattern is not taken apart, plait says that it cannot tell", () => {
  expect(checkChange(owns("src/@(a|b)/*"), [], ["src/a/x.ts", "lib/x.ts"])).toEqual([
    { kind: "unsure", path: "src/a/x.ts", pattern: "src/@(a|b)/*" },
    { kind: "outside", path: "lib/x.ts" },
  ]);
  expect(checkChange(owns("src/"), paths("!src/a"), ["src/a"])).toEqual([
    { kind: "unsure", path: "src/a", pattern: "!src/a" },
  ]);
});

test("a file whose name is the pattern itself is covered, whatever the syntax could mean", () => {
  expect(checkChange(owns("src/+page@(app).svelte"), [], ["src/+page@(app).svelte"])).toEqual([]);
});
