import { describe, expect, test } from "vitest";
import { parseClaim, parsePattern } from "./parse.ts";

describe("a pattern is kept in its plainest form", () => {
  test.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["src//a.ts", "src/a.ts"],
    ["src/./a.ts", "src/a.ts"],
    ["src/", "src/"],
    ["src/.", "src/"],
    [".", "**"],
    ["./", "**"],
    ["src/{a,b}/*.ts", "src/{a,b}/*.ts"],
    ["app/(shop)/[slug]/page.tsx", "app/(shop)/[slug]/page.tsx"],
    ["src/v1..2.ts", "src/v1..2.ts"],
    ["src/{1..3}", "src/{1..3}"],
    ["...", "..."],
  ])("%s is %s", (text, pattern) => {
    expect(parsePattern(text)).toEqual({ ok: true, pattern });
  });
});

describe("a pattern that leaves the repository or means nothing is refused", () => {
  const fromRoot = "use a path from the root of the repository: `src/api/`";
  test.each([
    ["", "is empty", null],
    ["  ", "is empty", null],
    ["a\0b", 'contains the control character "\\u0000"', null],
    ["a\nb", 'contains the control character "\\n"', null],
    ["src\\a.ts", "contains a backslash", "use `src/a.ts`"],
    ["/etc/passwd", "is an absolute path", fromRoot],
    ["C:/x", "is an absolute path", fromRoot],
    ["~/x", "is in a home folder", fromRoot],
    ["../x", 'contains ".."', fromRoot],
    ["a/../../x", 'contains ".."', fromRoot],
    ["{..,a}/x", 'stands for `../x`, which contains ".."', fromRoot],
    ["{.,a}./x", 'stands for `../x`, which contains ".."', fromRoot],
    ["{/etc,a}", "stands for `/etc`, which is an absolute path", fromRoot],
    ["{a,}", "also stands for an empty path", null],
    ["src/{a,b", "opens a brace that is not closed", "add the missing `}`"],
    ["a.ts::B", "names a symbol, which only `owns` may do", "use the path without `::`"],
  ])("%j", (text, problem, hint) => {
    expect(parsePattern(text)).toEqual({ ok: false, problem, hint });
  });

  test("one that is longer than a path may be", () => {
    expect(parsePattern("a".repeat(4097))).toMatchObject({ ok: false });
    expect(parsePattern("a".repeat(4096))).toMatchObject({ ok: true });
  });
});

describe("a claim", () => {
  test("may name a symbol of the file", () => {
    expect(parseClaim("./a.py::User.save", "modify")).toEqual({
      ok: true,
      claim: { mode: "modify", pattern: "a.py", symbol: "User.save" },
    });
    expect(parseClaim("a.py", "any")).toEqual({
      ok: true,
      claim: { mode: "any", pattern: "a.py", symbol: null },
    });
  });

  test.each([
    ["a.py::", "has no symbol after `::`"],
    ["a.py::A..b", "has an empty part in its symbol"],
    ["a.py::save()", 'has the symbol part "save()", which is not a name'],
    ["a.rs::Foo::bar", 'has the symbol part "Foo::bar", which is not a name'],
    ["a.py::9", 'has the symbol part "9", which is not a name'],
    ["src/::A", "names a symbol of a folder"],
    ["::A", "is empty"],
    ["../a.py::A", 'contains ".."'],
  ])("%s is refused", (text, problem) => {
    expect(parseClaim(text, "any")).toMatchObject({ ok: false, problem });
  });
});
