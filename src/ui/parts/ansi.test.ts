import { describe, expect, it } from "vitest";
import { type AnsiLine, ansiLines, plainLine, stripAnsi, visible } from "./ansi.ts";

const ESC = "\u001b";
const texts = (text: string): string[] => ansiLines(text).map(plainLine);
const only = (text: string): AnsiLine => ansiLines(text)[0] ?? [];

describe("what a program printed", () => {
  it("is a line for each line break, and none behind the last", () => {
    expect(texts("")).toEqual([]);
    expect(texts("a\n\nb\n")).toEqual(["a", "", "b"]);
    expect(texts("a\r\nb")).toEqual(["a", "b"]);
  });

  it("keeps its colors: sixteen by number, all others by what they are", () => {
    const inks = (params: string) => only(`${ESC}[${params}mx`)[0]?.look;
    expect(inks("31")).toMatchObject({ fg: 1, bg: null });
    expect(inks("1;92;44")).toMatchObject({ fg: 10, bg: 4, traits: ["bold"] });
    expect(inks("38;5;9")).toMatchObject({ fg: 9 });
    expect(inks("38;5;196")).toMatchObject({ fg: "#ff0000" });
    expect(inks("48;5;244")).toMatchObject({ bg: "#808080" });
    expect(inks("38;2;18;52;86;1")).toMatchObject({ fg: "#123456", traits: ["bold"] });
    expect(only(`${ESC}[31ma${ESC}[mb`).map(({ look }) => look.fg)).toEqual([1, null]);
  });

  it("carries a color over lines until it is taken back", () => {
    const [first, second] = ansiLines(`${ESC}[32mone\ntwo${ESC}[39m three`);
    expect(first?.[0]?.look.fg).toBe(2);
    expect(second?.map(({ text, look }) => [text, look.fg])).toEqual([
      ["two", 2],
      [" three", null],
    ]);
  });

  it("shows what was last seen of a line that was written over", () => {
    expect(texts("10 %\r20 %\rdone\n")).toEqual(["done"]);
    expect(texts("a long line\rshort\n")).toEqual(["shortg line"]);
    expect(texts(`a long line\r${ESC}[Kshort\n`)).toEqual(["short"]);
    expect(texts(`a long line${ESC}[2K${ESC}[1Gshort\n`)).toEqual(["short"]);
    expect(texts("| \b\b/ \b\b- done")).toEqual(["- done"]);
    expect(texts(`a${ESC}[Cb${ESC}[3Cc${ESC}[0;1C`)).toEqual(["a b   c"]);
    expect(only(`${ESC}[31mabcdef\r${ESC}[32mXY`).map(({ text, look }) => [text, look.fg])).toEqual([
      ["XY", 2],
      ["cdef", 1],
    ]);
  });
});

describe("what is hostile", () => {
  it("other escapes are gone, whole or cut off anywhere", () => {
    expect(texts(`${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\b`)).toEqual([
      "alinkb",
    ]);
    expect(texts(`${ESC}[2J${ESC}[10;10Hx${ESC}(B${ESC}c\u009b1my\u0000\u0007`)).toEqual(["xy"]);
    expect(texts(`a${ESC}`)).toEqual(["a"]);
    expect(texts(`a${ESC}[38;5`)).toEqual(["a"]);
    expect(texts(`${ESC}[?25;31mx`)).toEqual(["x"]);
  });

  it("a string without an end hides the rest of its line and not the lines after", () => {
    expect(texts(`a${ESC}]0;never ends\nb`)).toEqual(["a", "b"]);
  });

  it("huge and senseless numbers change nothing", () => {
    expect(only(`${ESC}[38;5;999;38;2;300;0;0;99999999999999999999mx`)[0]?.look).toMatchObject({ fg: null });
    expect(texts(`${ESC}[999999999Cx${ESC}[999999999Gy`)).toEqual(["xy"]);
  });

  it("nothing turns the direction of writing, or hides", () => {
    expect(texts("if (a\u202e)b")).toEqual(["if (a<U+202E>)b"]);
    expect(stripAnsi(`exit 1: ${ESC}[31mred${ESC}[0m\nmore`)).toBe("exit 1: red more");
    expect(visible("a\u2066b\u001b[31m\u200b")).toBe("a<U+2066>b<U+001B>[31m<U+200B>");
  });

  it.each([
    ["a line of a megabyte", "x".repeat(1_000_000)],
    ["a color for every letter", `${ESC}[31mx${ESC}[32my`.repeat(20_000)],
    [
      "a line that is begun anew all the time",
      `${`${ESC}[31ma${ESC}[32mb`.repeat(10_000)}${"\rx".repeat(100_000)}`,
    ],
    ["parameters without end", `${ESC}[${"1;".repeat(200_000)}m`],
    ["strings without end", `${ESC}]`.repeat(200_000)],
    ["empty lines", "\n".repeat(300_000)],
  ])("%s costs what it is long", (_, text) => {
    const before = performance.now();
    ansiLines(text);
    expect(performance.now() - before).toBeLessThan(1_500);
  });
});
