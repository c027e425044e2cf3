import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnostic } from "../../../test/support/diagnostic.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { plait } from "../../core/text/command.ts";
import { pathForGithub } from "../plan-file.ts";
import { githubAnnotations } from "./annotations.ts";
import { nextCommand, renderDiagnostics, summary } from "./diagnostics.ts";
import { glyphs } from "./glyphs.ts";
import { paint, plainText } from "./line.ts";
import { cells } from "./width.ts";

const plan = `plait: 1
tasks:
  - id: refunds
    title: Refund flow
    need: [payments, orders-api]
    agent: codex
`;

describe("a finding", () => {
  it("starts with its place, then severity, code and message, the line, and what to do", () => {
    const found = diagnostic({
      code: "unknown-key",
      message: "unknown key `need` in task refunds",
      at: range(5, 5, 9),
      hint: "did you mean `needs`?",
    });
    expect(shown([found], plan)).toBe(`\
plan.yaml:5:5: error[unknown-key]: unknown key \`need\` in task refunds
  3 │   - id: refunds
  4 │     title: Refund flow
> 5 │     need: [payments, orders-api]
    │     ~~~~
  6 │     agent: codex
  help: did you mean \`needs\`?

`);
  });

  it("comes in order of place, those about the whole first", () => {
    const texts = shown(
      [
        finding("b", range(5, 1, 2)),
        finding("c", range(5, 3, 4)),
        finding("a", range(2, 1, 2)),
        finding("whole", null),
      ],
      "1\n2\n3\n4\n5",
    );
    expect(texts.match(/\[x\]: \w+/g)).toEqual(["[x]: whole", "[x]: a", "[x]: b", "[x]: c"]);
  });

  it("without a place or without the text of its file has no frame", () => {
    expect(shown([finding("gone", null)], "")).toBe("error[x]: gone\n\n");
    const elsewhere = { ...range(3, 1, 2), file: "prompts/a.md" };
    expect(shown([finding("gone", elsewhere)], "text")).toBe("prompts/a.md:3:1: error[x]: gone\n\n");
  });

  it("shows the other places that belong to it, but not a hundred of them", () => {
    const related = Array.from({ length: 10 }, () => ({ at: range(3, 9, 16), message: "first used here" }));
    const text = shown([{ ...finding("twice", range(6, 5, 10)), related }], plan);
    expect(text).toContain(`\
  plan.yaml:3:9: first used here
  > 3 │   - id: refunds
      │         ~~~~~~~
`);
    expect(text.match(/first used here/g)).toHaveLength(8);
    expect(text).toContain("  and 2 more places\n");
  });

  it("indents a help of several lines", () => {
    expect(shown([{ ...finding("m", null), hint: "write\n- id: a" }], "")).toContain(
      "  help: write\n        - id: a\n",
    );
  });
});

describe("a code frame", () => {
  it("aligns the underline behind tabs, wide characters and marks", () => {
    expect(frame("\tid: x", 2, 4)).toEqual([">      id: x", "       ~~"]);
    expect(frame("a\tb", 3, 4)).toEqual([">  a   b", "       ~"]);
    expect(frame("日本: x", 5, 6)).toEqual([">  日本: x", "         ~"]);
    expect(frame("日本: x", 1, 3)).toEqual([">  日本: x", "   ~~~~"]);
    expect(frame("e\u0301: x", 5, 6)).toEqual([">  e\u0301: x", "      ~"]);
    expect(frame("🚀 x", 4, 5)).toEqual([">  🚀 x", "      ~"]);
  });

  it("shows hidden and dangerous characters, and underlines them as shown", () => {
    expect(frame("a\u001b[2Jb", 2, 3)).toEqual([">  a<U+001B>[2Jb", "    ~~~~~~~~"]);
    expect(frame("x\u202ey", 3, 4)).toEqual([">  x<U+202E>y", "            ~"]);
  });

  it("knows CRLF, the end of a line and the end of the file", () => {
    expect(frame("id: x\r", 4, 7)).toEqual([">  id: x", "      ~~"]);
    expect(frame("ab", 3, 3)).toEqual([">  ab", "     ~"]);
    expect(frame("ab", 99, 99)).toEqual([">  ab", "     ~"]);
    expect(shown([finding("m", range(9, 1, 1))], "a\nb\n")).toContain("> 3 │\n    │ ~\n");
    expect(shown([finding("m", range(1, 1, 1))], "")).toContain("> 1 │\n    │ ~\n");
  });

  it("cuts a very long line around the place", () => {
    const long = `${"a".repeat(500)}HERE${"b".repeat(500_000)}`;
    const [line, mark] = frame(long, 501, 505) as [string, string];
    expect(line).toMatch(/^> {2}…a+HEREb+…$/);
    expect(line.indexOf("HERE")).toBe(mark.indexOf("~~~~"));
    expect(mark.trim()).toBe("~~~~");
    expect(frame(`short ${"x".repeat(500)}`, 1, 6)[0]).toMatch(/^> {2}short x+…$/);
    expect(frame(`a${"b".repeat(5_000)}`, 1, 5_000)[1]).toMatch(/^ {3}~+$/);
  });

  it("fits the width, whatever the line holds", () => {
    const line = "日本語 \t".repeat(400);
    for (const col of [1, 7, 100, 333, 1_500]) {
      for (const text of shown([finding("m", range(1, col, col + 40))], line)
        .split("\n")
        .slice(1)) {
        expect(cells(text)).toBeLessThanOrEqual(80);
      }
    }
  });

  it("shows a place of several lines from its first to its last", () => {
    const text = "a: |\n  one\n  two\n  three\n  four\n  five\nb: 1\n";
    const long = { file: "plan.yaml", start: { line: 1, col: 4 }, end: { line: 7, col: 1 } };
    expect(shown([finding("m", long)], text)).toBe(`\
plan.yaml:1:4: error[x]: m
> 1 │ a: |
    │    ~
> 2 │   one
> 3 │   two
    │ …
> 6 │   five
  7 │ b: 1

`);
    const short = { ...long, end: { line: 2, col: 6 } };
    expect(shown([finding("m", short)], text)).toContain(
      "> 1 │ a: |\n    │    ~\n> 2 │   one\n  3 │   two\n",
    );
  });

  it("keeps the numbers in a column", () => {
    const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n");
    expect(shown([finding("m", range(10, 1, 5))], text)).toContain(
      "   9 │ line 9\n> 10 │ line 10\n     │ ~~~~\n  11 │",
    );
  });

  it("is drawn in ASCII when asked", () => {
    const lines = renderDiagnostics([finding("m", range(1, 400, 401))], {
      ...view("x".repeat(900)),
      glyphs: glyphs.ascii,
    });
    expect(lines.map(plainText).join("")).toMatch(/^[\x20-\x7e]*$/);
  });
});

describe("what follows the findings", () => {
  it("is a count by severity and the next command", () => {
    const some: Diagnostic[] = [
      finding("a", null),
      finding("b", null),
      { ...finding("c", null), severity: "warning" },
    ];
    expect(plainText(summary(some, "plan.yaml", glyphs.unicode))).toBe("2 errors, 1 warning in plan.yaml");
    expect(plainText(nextCommand(plait("explain", "cycle")))).toBe("next  plait explain cycle");
  });

  it("is coloured only when asked, and each colour is ended", () => {
    const lines = [summary([finding("a", null)], "p", glyphs.unicode)];
    expect(paint(lines, { colours: false })).toBe("1 error in p\n");
    expect(paint(lines, { colours: true })).toBe("\u001b[31m1 error\u001b[39m in p\n");
  });
});

describe("in ASCII", () => {
  const ascii = { ...view("tasks: [grün, x]"), glyphs: glyphs.ascii };

  it("plait's own signs have a spelling, and characters of users are spelled out", () => {
    const found = { ...finding("`a → b → …` isn’t “grün”", null), hint: "say ‘ü’…" };
    expect(paint(renderDiagnostics([found], ascii), { colours: false })).toBe(
      "error[x]: `a -> b -> ...` isn't \"gr<U+00FC>n\"\n  help: say '<U+00FC>'...\n\n",
    );
  });

  it("the underline still fits what is shown", () => {
    const lines = renderDiagnostics([finding("m", range(1, 9, 13))], ascii).map(plainText);
    expect(lines.slice(1, 3)).toEqual(["> 1 | tasks: [gr<U+00FC>n, x]", "    |         ~~~~~~~~~~~"]);
  });

  it("the name of the file is spelled out as well", () => {
    const found = finding("m", { ...range(1, 1, 2), file: "grün.yaml" });
    expect(plainText(renderDiagnostics([found], ascii)[0]!)).toMatch(/^gr<U\+00FC>n\.yaml:1:1: /);
    expect(plainText(summary([found], "grün.yaml", glyphs.ascii))).toBe("1 error in gr<U+00FC>n.yaml");
  });
});

describe("annotations for GitHub", () => {
  it("name no line where the place is a flag, and neither do findings for people", () => {
    const flag = finding("m", { file: "--prompt 2", start: { line: 0, col: 0 }, end: { line: 0, col: 0 } });
    expect(githubAnnotations([flag], { glyphs: glyphs.unicode, pathOf: (file) => file })).toBe(
      "::error title=x::m\n",
    );
    expect(shown([flag], "")).toBe("--prompt 2: error[x]: m\n\n");
  });

  const look = { glyphs: glyphs.unicode, pathOf: (file: string) => file };

  it("name the place and the code", () => {
    const found = { ...finding("unknown key", range(5, 3, 4)), hint: "rename it" };
    expect(githubAnnotations([found, { ...finding("m", null), severity: "note" as const }], look)).toBe(
      "::error file=plan.yaml,line=5,col=3,title=x::unknown key%0Arename it\n::notice title=x::m\n",
    );
  });

  it("cannot be broken out of", () => {
    const found = finding("100%\r\n::error::pwned\u001b", { ...range(1, 1, 2), file: "a,b:c%\n.yaml" });
    const text = githubAnnotations([found], look);
    expect(text.split("\n")).toHaveLength(2);
    expect(text).toContain("file=a%2Cb%3Ac%25<U+000A>.yaml,line=1");
    expect(text).toContain("::100%25<U+000D><U+000A>::error::pwned<U+001B>\n");
  });
});

describe("the path in an annotation", () => {
  const here = process.cwd();

  it("starts at the checkout, else at the folder that plait was started in", () => {
    expect(pathForGithub("sub/x.yaml", [here, null])).toBe("sub/x.yaml");
    expect(pathForGithub("x.yaml", [dirname(here), here])).toBe(`${basename(here)}/x.yaml`);
    expect(pathForGithub("x.yaml", [null, dirname(here)])).toBe(`${basename(here)}/x.yaml`);
    expect(pathForGithub(join(here, "x.yaml"), [here, null])).toBe("x.yaml");
  });

  it("stays as it was typed when it lies elsewhere", () => {
    expect(pathForGithub("../x.yaml", [here, here])).toBe("../x.yaml");
    expect(pathForGithub("/elsewhere/x.yaml", [here, null])).toBe("/elsewhere/x.yaml");
    expect(pathForGithub("x.yaml", [null, null])).toBe("x.yaml");
  });
});

function finding(message: string, at: SourceRange | null): Diagnostic {
  return diagnostic({ code: "x", message, at });
}

function range(line: number, from: number, to: number): SourceRange {
  return { file: "plan.yaml", start: { line, col: from }, end: { line, col: to } };
}

function view(text: string) {
  return { sources: new Map([["plan.yaml", text]]), glyphs: glyphs.unicode, width: 80 };
}

function shown(diagnostics: Diagnostic[], text: string): string {
  return paint(renderDiagnostics(diagnostics, view(text)), { colours: false });
}

/** The marked line and its underline, without the number and the rail. */
function frame(line: string, from: number, to: number): string[] {
  const lines = shown([finding("m", range(1, from, to))], line).split("\n");
  return lines.slice(1, 3).map((text) => text.replace(/^(.) . │/, "$1 "));
}
