import { describe, expect, test } from "vitest";
import { overlap } from "./overlap.ts";
import type { PathPattern } from "./pattern.ts";

const meet = (a: string, b: string) => overlap(a as PathPattern, b as PathPattern);

describe("patterns that meet name a path that both mean", () => {
  test.each([
    ["src/a.ts", "src/a.ts", "src/a.ts"],
    ["src", "src/a.ts", "src/a.ts"],
    ["src/", "src/a.ts", "src/a.ts"],
    ["src/", "src/**/*.md", "src/x.md"],
    ["src", "src/**", "src/x"],
    ["src", "src/api/*.ts", "src/api/x.ts"],
    ["[]a].ts", "].ts", "].ts"],
    ["src/**", "**/*.test.ts", "src/x.test.ts"],
    ["src/**/*.ts", "src/api/**", "src/api/x.ts"],
    ["src/*.ts", "src/user*", "src/user.ts"],
    ["*", "src", "src"],
    ["{a,b}/*.{ts,js}", "b/x?.js", "b/xx.js"],
    ["a[0-9].ts", "a{1..3}.ts", "a1.ts"],
    ["**/a/**", "**/b/**", "a/b/x"],
    [".*", ".?", ".x"],
    ["a/**/b", "a/b", "a/b"],
    ["**", "**", "x"],
    ["*.ts", ".ts", ".ts"],
  ])("%s and %s meet at %s", (a, b, witness) => {
    expect(meet(a, b)).toEqual({ kind: "overlap", witness });
  });
});

describe("patterns that cannot meet are told apart", () => {
  test.each([
    ["src/a.ts", "src/b.ts"],
    ["src/a", "src/ab"],
    ["src/*.ts", "src/*.js"],
    ["src/*", "src/api/x.ts"],
    ["*", "src/**"],
    ["*", "src/"],
    ["src/[ab].ts", "src/[!ab].ts"],
    ["src/{a,b}/**", "src/{c,d}/**"],
    ["**/a*.ts", "**/b*.ts"],
    ["app/[id]/x.ts", "app/[slug]/x.ts"],
    ["a/?", "a/bc"],
    // What both would match is "." and "..", which are no names.
    ["?", ".*"],
    ["??", ".*."],
  ])("%s and %s", (a, b) => {
    expect(meet(a, b)).toEqual({ kind: "disjoint" });
  });
});

describe("what nobody can tell is said, with the reason", () => {
  test.each([
    ["src/@(a|b).ts", "src/a.ts", "`src/@(a|b).ts` uses the extended glob @(…)"],
    ["!src/gen/**", "lib/a.ts", "`!src/gen/**` begins with !, which plait does not read as a negation"],
    [
      "src/{1..9..2}.ts",
      "src/**",
      "`src/{1..9..2}.ts` has the range {1..9..2}, which is not a simple one such as {1..3} or {a..c}",
    ],
    ["{1..1000}", "7", "`{1..1000}` has braces that stand for more than 256 paths"],
    ["[[:alpha:]].ts", "*.ts", "`[[:alpha:]].ts` uses a named character class such as [[:alpha:]]"],
  ])("%s against %s", (a, b, why) => {
    expect(meet(a, b)).toEqual({ kind: "may-overlap", why, ifFolders: [] });
    expect(meet(b, a)).toEqual({ kind: "may-overlap", why, ifFolders: [] });
  });

  test("syntax that is not taken apart still cannot reach beyond the letters before it", () => {
    expect(meet("src/@(a|b).ts", "lib/a.ts")).toEqual({ kind: "disjoint" });
  });

  test("a wildcard that reaches below a literal path meets it only if the path is a folder", () => {
    const why = "only if `src/a.ts` is a folder";
    expect(meet("**/*.test.ts", "src/a.ts")).toEqual({ kind: "may-overlap", why, ifFolders: ["src/a.ts"] });
    expect(meet("*/x", "{a,b}")).toMatchObject({ kind: "may-overlap", ifFolders: ["a", "b"] });
  });
});

describe("brackets", () => {
  test("are a class and also their own text, as in the folders of web routers", () => {
    expect(meet("app/[slug]/page.tsx", "app/**")).toMatchObject({ witness: "app/[slug]/page.tsx" });
    expect(meet("app/[...slug]", "app/[...slug]/page.tsx").kind).toBe("overlap");
    expect(meet("app/[[...slug]]/page.tsx", "app/[[...slug]]/page.tsx").kind).toBe("overlap");
    expect(meet("app/(shop)/page.tsx", "app/(blog)/page.tsx").kind).toBe("disjoint");
  });
});

describe("length does no harm", () => {
  test("wildcards that would make a backtracking matcher run for ever", () => {
    expect(meet("a*".repeat(100), "*b".repeat(100)).kind).toBe("overlap");
    expect(meet(`*${"a*".repeat(100)}c*`, `*${"b*".repeat(100)}d*`).kind).toBe("overlap");
    expect(meet(`*${"?*".repeat(100)}c?`, `*${"?*".repeat(100)}d?`).kind).toBe("disjoint");
    expect(meet(`*${"?*".repeat(100)}c[ab]`, `*${"?*".repeat(100)}d[ab]`).kind).toBe("disjoint");
    expect(meet(`${"**/a/".repeat(50)}c*`, `${"**/b/".repeat(50)}d*`).kind).toBe("disjoint");
  });

  test("past a limit of work the answer is the safe one", () => {
    const long = (end: string) => `*${"?*".repeat(1000)}${end}[ab]`;
    expect(meet(long("c"), long("d"))).toMatchObject({ kind: "may-overlap", ifFolders: [] });
  });
});
