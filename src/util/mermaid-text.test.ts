import { describe, expect, test } from "vitest";
import { mermaidText } from "./mermaid-text.ts";

describe("a text in a Mermaid diagram", () => {
  test.each([
    ["Add v1.2.3 of a-b, c_d/e…", "Add v1.2.3 of a-b, c_d/e…"],
    ["日本語 é", "日本語 é"],
    ["end", "end"],
    ['"x" [y]; #z', "#34;x#34; #91;y#93;#59; #35;z"],
    // A line that holds these words is a statement for Mermaid, also inside quotes.
    ["redirection LR", "redirection#32;LR"],
    ["the right direction", "the right direction"],
    // Markdown, which labels are read as.
    ["__init__ of _x_", "#95;#95;init#95;#95; of #95;x#95;"],
    ["- a -- b", "#45; a #45;#45; b"],
    ["1. Do it", "1#46; Do it"],
  ])("%s is written %s", (text, written) => {
    expect(mermaidText(text)).toBe(written);
  });
});
