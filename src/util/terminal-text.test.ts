import { describe, expect, it } from "vitest";
import { terminalText } from "./terminal-text.ts";

describe("text for a terminal", () => {
  it.each([
    ["colours", "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m", "red x"],
    ["cursor movements and clearing", "a\x1b[2J\x1b[10;20Hb\x1b[?25lc\x1b[1 qd", "abcd"],
    ["a title", "\x1b]0;evil title\x07text", "text"],
    ["a link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["what would be written to the clipboard", "\x1b]52;c;ZXZpbA==\x1b\\text", "text"],
    ["device strings", "\x1bP+q544e\x1b\\a\x1b_apc\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d", "abcd"],
    ["the one-character forms", "\x9b31mred\x9d0;title\x9ctext\x90dcs\x9cend", "redtextend"],
    ["short sequences", "\x1b7a\x1b8\x1bc\x1b(Bb\x1b=c", "abc"],
    ["a sequence that is cut off", "text\x1b[31", "text"],
  ])("has no %s", (_what, raw, shown) => {
    expect(terminalText(raw)).toBe(shown);
  });

  it("shows what is left of control, direction and hidden characters", () => {
    expect(terminalText("a\x1b")).toBe("a<U+001B>");
    expect(terminalText("a\x00b\x08c\x7fd\x85e")).toBe("a<U+0000>b<U+0008>c<U+007F>d<U+0085>e");
    expect(terminalText("rm \u202egnp.x\u2066y\u200bz\u{e0041}")).toBe(
      "rm <U+202E>gnp.x<U+2066>y<U+200B>z<U+E0041>",
    );
    expect(terminalText("half \ud800.")).toBe("half <U+D800>.");
  });

  it("a string without an end hides no line after it", () => {
    expect(terminalText("a\x1b]0;title\nnext line")).toBe("a\nnext line");
  });

  it("keeps lines, tabs, letters of all scripts and joined emoji", () => {
    const text = "a\tb\nżółć नमस्ते 👩‍👩‍👧 العربية\n";
    expect(terminalText(text)).toBe(text);
  });

  it("shows of an overwritten line what was last seen", () => {
    expect(terminalText("10%\r50%\r100%\r\ndone\r\n\r\n")).toBe("100%\ndone\n\n");
  });

  it("takes time that grows with the text and no faster", () => {
    const bad = ["\x1b]", "\x1b[", "\x1bP", "a\r", "\x9b1;", "\x1b(", " "].map((part) =>
      part.repeat(300_000),
    );
    for (const text of bad) terminalText(`${text}x`);
  });
});
