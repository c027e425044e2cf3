import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { code, codeCell, inline, printed, quoted } from "./markdown-text.ts";

const anyText = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom(
      "`",
      "~",
      "<",
      "|",
      "\n",
      "#",
      "-",
      "\u001b[1m",
      "\\",
      "*",
      "_",
      "a",
      " ",
      "1.",
      "[x](y)",
    ),
  }),
);

describe("text of agents is data", () => {
  test("in a line it begins nothing, ends nothing and stays one line", () => {
    expect(inline("# <b>x</b> | *y* [z](http://a) `q`\n- w")).toBe(
      "\\# &lt;b>x&lt;/b> \\| \\*y\\* \\[z\\](http://a) \\`q\\` - w",
    );
    expect(inline("1. snake_case _em_ \u001b[31mred\u0007")).toBe("1\\. snake_case \\_em\\_ red&lt;U+0007>");
    fc.assert(
      fc.property(anyText, (text) => {
        const line = inline(text);
        for (const unsafe of ["\n", "\u001b", "<"]) expect(line).not.toContain(unsafe);
        expect(line).not.toMatch(/(?<!\\)(?:\\\\)*\|/);
        expect(line).not.toMatch(/^(?:[#>+-]|\d+[.)])/);
      }),
    );
  });

  test("in code it ends no code, and no cell", () => {
    expect(code("a `b` c")).toBe("``a `b` c``");
    expect(code("`")).toBe("`` ` ``");
    expect(codeCell("a | b")).toBe("`a \\| b`");
    fc.assert(
      fc.property(anyText, (text) => {
        for (const unsafe of ["\n", "\u001b"]) expect(code(text)).not.toContain(unsafe);
      }),
    );
  });

  test("in a block it ends no fence", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const lines of [quoted(text), printed(text)]) {
          const fence = lines.at(-1) ?? "";
          const inner = lines.slice(1, -1);
          expect(lines[0]).toBe(`${fence}text`);
          expect(inner.some((line) => line.includes(fence))).toBe(false);
          expect(lines.join("\n")).not.toContain("\u001b");
        }
      }),
    );
  });

  test("words are broken between words, what was printed is not", () => {
    const long = "word ".repeat(60).trim();
    expect(quoted(long).every((line) => line.length <= 110)).toBe(true);
    expect(printed(long)).toEqual(["```text", long, "```"]);
  });
});
