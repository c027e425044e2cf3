import { describe, expect, test } from "vitest";
import { matches } from "./match.ts";
import type { PathPattern } from "./pattern.ts";

const covers = (pattern: string, path: string) => matches(pattern as PathPattern, path);

describe("a pattern covers", () => {
  test.each([
    ["src", "src/a/b.ts"],
    ["src/a.ts", "src/a.ts"],
    ["src/", "src/.env"],
    ["*", ".env"],
    ["**", "a/.b/c"],
    ["**/b", "b"],
    ["a/**/b", "a/b"],
    ["a**b.ts", "a-x-b.ts"],
    ["***", "a"],
    ["?.ts", "é.ts"],
    ["?.ts", "🎉.ts"],
    ["{a,b/*}", "a/deep/down"],
    ["v{1..3}/*", "v2/x"],
    ["app/[slug]", "app/[slug]/page.tsx"],
    ["app/[slug]/v[0-9].ts", "app/[slug]/v1.ts"],
    ["**", "a\nb"],
  ])("%s the path %j", (pattern, path) => {
    expect(covers(pattern, path)).toBe(true);
  });
});

describe("a pattern does not cover", () => {
  test.each([
    ["src", "srcs/a.ts"],
    ["src/", "src"],
    ["src/**", "src"],
    ["*", "a/b"],
    ["a**b", "a/b"],
    ["***", "a/b"],
    ["{a,b/*}", "b/c/d"],
    ["[!a]", "a"],
    ["a?", "a"],
    ["A.ts", "a.ts"],
  ])("%s the path %j", (pattern, path) => {
    expect(covers(pattern, path)).toBe(false);
  });
});

test("syntax that is not taken apart is unknown where it might match", () => {
  expect(covers("src/@(a|b)", "src/a")).toBe("unknown");
  expect(covers("src/@(a|b)", "lib/a")).toBe(false);
  expect(covers("src/@(a|b)", "src/@(a|b)")).toBe(true);
});
