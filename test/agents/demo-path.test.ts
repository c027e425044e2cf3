import fc from "fast-check";
import { expect, test } from "vitest";
import { matches } from "../../src/core/ownership/match.ts";
import { parsePattern } from "../../src/core/ownership/parse.ts";
import { pathFor } from "../../src/programs/demo-agent-default.ts";

const noFolder = async () => false;

test.each([
  ["src/a.ts", "src/a.ts"],
  ["src/", "src/cart.md"],
  ["src/**", "src/cart.md"],
  ["**", "cart.md"],
  ["**/*.md", "cart.md"],
  ["src/*/index.ts", "src/cart/index.ts"],
  ["src/{a,b}/*.ts", "src/a/cart.ts"],
  ["v{1..3}.txt", "v1.txt"],
  ["app/[slug]/page.tsx", "app/[slug]/page.tsx"],
  ["app/[ab]/*.tsx", "app/a/cart.tsx"],
  ["log-?.txt", "log-x.txt"],
])("the demo agent works on %s at %s", async (pattern, path) => {
  expect(await pathFor(pattern, "cart", noFolder)).toBe(path);
});

test("a path that is a folder now gets a file inside", async () => {
  expect(await pathFor("lib", "cart", async (path) => path === "lib")).toBe("lib/cart.md");
});

test("the file is one that the pattern covers", async () => {
  const segment = fc.constantFrom("a", "*", "**", "*.ts", "b?", "{x,y}", "[cd]*", "e-*-f");
  const patterns = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"))
    .map(([segments, end]) => segments.join("/") + end);
  await fc.assert(
    fc.asyncProperty(patterns, async (text) => {
      const parsed = parsePattern(text);
      if (!parsed.ok) return;
      expect(matches(parsed.pattern, await pathFor(parsed.pattern, "cart", noFolder))).toBe(true);
    }),
  );
});
