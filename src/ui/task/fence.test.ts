import { expect, it } from "vitest";
import { MARKDOWN } from "./diff/languages.ts";
import { type Inside, tokenLine } from "./diff/tokens.ts";
import { fenceAfter } from "./fence.ts";

it("a block of code ends with its own mark, whatever is quoted in it", () => {
  const open = (lines: readonly string[]) => {
    let mark: string | null = null;
    return lines.map((line) => {
      mark = fenceAfter(line, mark);
      return mark;
    });
  };
  expect(open(["````md", "```js", "x", "```", "````", "y"])).toEqual([
    "````",
    "````",
    "````",
    "````",
    null,
    null,
  ]);
  expect(open(["~~~", "```", "~~~~", "- a", "  ```ts", "  ```"])).toEqual([
    "~~~",
    "~~~",
    null,
    null,
    "```",
    null,
  ]);
  expect(open(["```ts", "``` no end", "```` "])).toEqual(["```", "```", null]);
  expect(open(["```one line``` and more"])).toEqual([null]);
});

it("a prompt has no headings inside its blocks of code, also behind a very long line", () => {
  let inside: Inside = null;
  const kinds = ["````", "```", `${"x".repeat(3_000)}`, "# no heading", "````", "# heading"].map((line) => {
    const read = tokenLine(MARKDOWN, line, inside);
    inside = read.inside;
    return read.tokens[0]?.kind;
  });
  expect(kinds).toEqual(["string", "string", "string", "string", "string", "keyword"]);
});
