import { expect, test } from "vitest";
import { ignoreLines } from "./compile.ts";
import type { PathPattern } from "./pattern.ts";

test.each([
  ["reports/review.md", ["/reports/review.md"]],
  ["out/", ["/out/"]],
  [".claude/reports/*.md", ["/.claude/reports/*.md"]],
  ["{a,b}/**/x-?.md", ["/a/**/x-?.md", "/b/**/x-?.md"]],
  ["app/[id]/x.md", ["/app/[id]/x.md", "/app/\\[id\\]/x.md"]],
  ["@(a|b).md", []],
])("%s is %j to git", (pattern, lines) => {
  expect(ignoreLines(pattern as PathPattern)).toEqual(lines);
});
