import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ecosystem, isPinned, parsePackageSpec } from "./spec.ts";

/** A spec as one line: key, where it is from, and what else is said. */
function told(text: string, ecosystem: Ecosystem): string {
  const parsed = parsePackageSpec(text, ecosystem);
  if (!parsed.ok) return `! ${parsed.problem}`;
  const { key, source, extras, marker, aliasOf } = parsed.spec;
  const from =
    source.kind === "range"
      ? `${source.range}`
      : source.kind === "tag"
        ? `tag ${source.tag}`
        : `at ${source.address}`;
  const more = [
    ...extras.map((extra) => `+${extra}`),
    ...(marker === null ? [] : [`if ${marker}`]),
    ...(aliasOf === null ? [] : [`= ${aliasOf}`]),
    ...(isPinned(source, ecosystem) ? ["pinned"] : []),
  ];
  return [key, from, ...more].filter((word) => word !== "").join(" ");
}

const COMMIT = "0123456789012345678901234567890123456789";

describe("a requirement of Python", () => {
  test.each([
    ["fastapi", "fastapi"],
    ["  Fast_API.x  ", "fast-api-x"],
    ["fastapi==0.115.6", "fastapi ==0.115.6 pinned"],
    ["fastapi === 0.115.6", "fastapi ===0.115.6 pinned"],
    ["fastapi >= 1, < 2", "fastapi >=1,<2"],
    ["fastapi (>=1,<2)", "fastapi >=1,<2"],
    ["fastapi>=1,", "fastapi >=1"],
    ["a~=1.4", "a ~=1.4"],
    ["a==1.2.*", "a ==1.2.*"],
    ["uvicorn[standard, Watch]>=0.30", "uvicorn >=0.30 +standard +Watch"],
    ["tomli>=2; python_version < '3.11'", "tomli >=2 if python_version < '3.11'"],
    [
      "a==1; sys_platform == \"win32\" and (os.name != 'nt' or extra in 'x')",
      "a ==1 if sys_platform == \"win32\" and (os.name != 'nt' or extra in 'x') pinned",
    ],
    ["a @ git+https://example.org/a.git@main", "a at git+https://example.org/a.git@main"],
    [`a @ git+https://example.org/a@${COMMIT}`, `a at git+https://example.org/a@${COMMIT} pinned`],
    ["git+https://example.org/a.git#egg=A_b", "a-b at git+https://example.org/a.git#egg=A_b"],
    ["--index-url=x", "! looks like an option"],
    ["a; rm -rf /", '! contains ";"'],
    ["a; python_version", '! contains ";"'],
    ["$(x)", '! contains "$"'],
    ["a'b", '! contains "\'"'],
    ["=1", "! does not begin with a name"],
    ["", "! does not begin with a name"],
    ["a==", "! has a version that is not valid in PEP 440: =="],
    ["a>=one", "! has a version that is not valid in PEP 440: >=one"],
    ["a~=1", "! has a version that is not valid in PEP 440: ~=1"],
    ["a>=1.*", "! has a version that is not valid in PEP 440: >=1.*"],
    ["a^1.2", '! has "^1.2" where a range should be, such as >=1.2,<2'],
    ["a 1.2", '! has "1.2" where a range should be, such as >=1.2,<2'],
    ["a[x y]", "! has an extra that is not a name: x y"],
    ["a@1.0.0", "! has no URL after the @"],
    [`a>=${"1".repeat(2000)}`, "! has more than 1000 characters"],
  ])("%s", (text, expected) => {
    expect(told(text, "python")).toBe(expected);
  });
});

describe("a package of npm", () => {
  test.each([
    ["zod", "zod"],
    ["zod@3.22.4", "zod 3.22.4 pinned"],
    ["zod@v3.22.4-beta.1", "zod v3.22.4-beta.1 pinned"],
    ["zod@3", "zod 3"],
    ["zod@^3.22 || >=4 <5", "zod ^3.22 || >=4 <5"],
    ["zod@x", "zod x"],
    ["@types/node@^20", "@types/node ^20"],
    ["@types/node", "@types/node"],
    ["react@next", "react tag next"],
    ["old@npm:lodash@^4", "old ^4 = lodash"],
    ["old@npm:@scope/a@1.2.3", "old 1.2.3 = @scope/a pinned"],
    ["a@git+https://example.org/a.git", "a at git+https://example.org/a.git"],
    [`a@github:x/a#${COMMIT}`, `a at github:x/a#${COMMIT} pinned`],
    ["x/a#main", "x/a#main at x/a#main"],
    ["a@workspace:*", "a at workspace:* pinned"],
    ["a@file:./packages/a", "a at file:./packages/a pinned"],
    ["a@file:./../a", "a at file:./../a"],
    ["--force", "! looks like an option"],
    ["zod@^3;x", '! contains ";"'],
    ["zod@`x`", '! contains "`"'],
    ["a b", '! contains " "'],
    ["@scope", "! does not begin with a valid npm package name"],
    [".hidden@1", "! does not begin with a valid npm package name"],
    ["a".repeat(215), "! does not begin with a valid npm package name"],
    ["old@npm:git+https://example.org/a", "! is an alias of something that is not a package"],
  ])("%s", (text, expected) => {
    expect(told(text, "node")).toBe(expected);
  });
});

test("whatever is read holds nothing that begins an option or expands in a shell", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), fc.constantFrom("python", "node"), (text, ecosystem) => {
      const parsed = parsePackageSpec(text, ecosystem as Ecosystem);
      if (parsed.ok) expect(text.trim()).toMatch(/^[A-Za-z0-9@._][^$`\\\n]*$/);
    }),
    { numRuns: 2_000 },
  );
});
