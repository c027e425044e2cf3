import { describe, expect, test } from "vitest";
import { indexText } from "./text-index.ts";

const at = (start: [number, number], end: [number, number]) => ({
  file: "plan.yaml",
  start: { line: start[0], col: start[1] },
  end: { line: end[0], col: end[1] },
});

describe("places in a text", () => {
  const { range, lineRange } = indexText("plan.yaml", "ab\ncd\r\n\nef");

  test("lines and columns count from 1", () => expect(range(0, 4)).toEqual(at([1, 1], [2, 2])));
  test("the end of the text is a place", () => expect(range(10, 10)).toEqual(at([4, 3], [4, 3])));
  test("an empty line has one column", () => expect(range(7, 7)).toEqual(at([3, 1], [3, 1])));
  test("offsets outside move to the nearest end", () => expect(range(-5, 99)).toEqual(at([1, 1], [4, 3])));
  test("an end before the start becomes the start", () => expect(range(4, 1)).toEqual(at([2, 2], [2, 2])));
  test("a line range stops before the line break", () =>
    expect(lineRange(1, 10)).toEqual(at([1, 2], [1, 3])));
  test("a line range stops before CRLF", () => expect(lineRange(3, 10)).toEqual(at([2, 1], [2, 3])));
  test("columns count UTF-16 units, as editors do", () =>
    expect(indexText("plan.yaml", "😀x").range(2, 3)).toEqual(at([1, 3], [1, 4])));
});
