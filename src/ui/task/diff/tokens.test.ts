import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "../../../../test/support/cpu.ts";
import { findLanguage } from "./languages.ts";
import { type Inside, tokenLine } from "./tokens.ts";

/** `keyword:const name` and so on; what has no color is left out. */
function colored(path: string, text: string): string[] {
  const language = findLanguage(path);
  let inside: Inside = null;
  return text.split("\n").flatMap((line) => {
    const read = tokenLine(language, line, inside);
    inside = read.inside;
    return read.tokens.filter(({ kind }) => kind !== null).map(({ kind, text: piece }) => `${kind} ${piece}`);
  });
}

describe("colors of code", () => {
  it("tell words of the language, strings, comments, numbers and types apart", () => {
    expect(colored("a.ts", 'const a: Cart = "x\\"y" + 1.5; // sum')).toEqual([
      ...["keyword const", "type Cart", 'string "x\\"y"', "number 1.5", "comment // sum"],
    ]);
    expect(colored("a.py", "@app.get\ndef f(x): return None # no")).toEqual([
      ...["type @app", "keyword def", "keyword return", "keyword None", "comment # no"],
    ]);
    expect(colored("main.rs", "fn f<'a>(c: char) -> Vec<'a> { 'x' }")).toEqual([
      ...["keyword fn", "keyword char", "type Vec", "string 'x'"],
    ]);
    expect(colored("a.go", "func f() string { return `raw` }")).toEqual([
      ...["keyword func", "keyword string", "keyword return", "string `raw`"],
    ]);
    expect(colored("A.java", "@Override public int f() { return 'c'; }")).toContain("type @Override");
    expect(colored("a.json", '{"name": "cart", "n": -1, "ok": true}')).toEqual([
      ...['name "name"', 'string "cart"', 'name "n"', "number 1", 'name "ok"', "keyword true"],
    ]);
    expect(colored("a.yaml", "on-push: true # now")).toEqual([
      "name on-push",
      "keyword true",
      "comment # now",
    ]);
    expect(colored("a.toml", 'name = "x"')).toEqual(["name name", 'string "x"']);
    expect(colored("a.css", ".a { color: #fff; margin: 4px }")).toEqual([
      ...["type .a", "name color", "type #fff", "name margin", "number 4px"],
    ]);
    expect(colored("a.html", '<a href="x">b</a>')).toEqual([
      "keyword <a",
      "name href",
      'string "x"',
      "keyword </a",
    ]);
    expect(colored("a.sh", 'if [ $# -eq 0 ]; then echo "$HOME" # x')).toEqual([
      ...["keyword if", "number 0", "keyword then", "keyword echo", 'string "$HOME"', "comment # x"],
    ]);
    expect(colored("a.sql", "SELECT 'a' FROM t -- all")).toEqual([
      ...["keyword SELECT", "string 'a'", "keyword FROM", "comment -- all"],
    ]);
    expect(colored("a.md", "# Head\na `code` b\n> said")).toEqual([
      ...["keyword # Head", "string `code`", "comment > said"],
    ]);
  });

  it("go on over lines where a comment or a string does, and end where it ends", () => {
    expect(colored("a.ts", "a /* one\ntwo\nthree */ 4")).toEqual([
      ...["comment /* one", "comment two", "comment three */", "number 4"],
    ]);
    expect(colored("a.py", 's = """a\nb""" 1')).toEqual(['string """a', 'string b"""', "number 1"]);
    expect(colored("a.ts", 'a = "not closed\nconst')).toEqual(['string "not closed', "keyword const"]);
  });

  it("are not for files that nobody knows", () => {
    expect(colored("a.bin", "const")).toEqual([]);
    expect(findLanguage("src/Dockerfile")).not.toBeNull();
  });
});

const PATHS = "ts py go rs java json yaml toml css html sh sql md".split(" ").map((ending) => `a.${ending}`);

it("all pieces of a line together are the line, whatever it is", () => {
  const pieces = fc.constantFrom(
    ...'/* */ // # -- \' " ` \\ ``` <!-- --> """ @ $ <a = : 1.5 Cart const \u{1f600} \ud800'.split(" "),
    " ",
  );
  const line = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), fc.array(line, { maxLength: 4 }), (path, lines) => {
      let inside: Inside = null;
      for (const one of lines) {
        const read = tokenLine(findLanguage(path), one, inside);
        inside = read.inside;
        expect(read.tokens.map(({ text }) => text).join("")).toBe(one);
      }
    }),
    { numRuns: 60 },
  );
});

it("costs what a line is long, also where nothing is ever closed", () => {
  const before = cpuMs();
  for (const path of PATHS) {
    for (const piece of ['"\\', "'", "/*", "a ", "1", "`", "<", "- ", '"a" ', "$a", "\u{1f600}"]) {
      const line = piece.repeat(1_990 / piece.length);
      for (let n = 0; n < 4; n += 1) tokenLine(findLanguage(path), line);
    }
    tokenLine(findLanguage(path), "x".repeat(5_000_000));
  }
  expect(cpuMs() - before).toBeLessThan(2_000);
});
