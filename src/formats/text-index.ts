import type { Position, SourceRange } from "../core/source.ts";
import { lineIndex, lineStarts } from "../util/lines.ts";

/** A text that can say where its offsets are. Offsets outside the text are moved to its nearest end. */
export type TextIndex = {
  readonly file: string;
  readonly text: string;
  readonly noun: FileNoun;
  readonly range: (start: number, end: number) => SourceRange;
  /** Like range, but never further than the line it starts on: what a code frame underlines. */
  readonly lineRange: (start: number, end: number) => SourceRange;
};

export type FileNoun = "plan" | "configuration" | "manifest" | "front matter" | "design" | "contract";

export function indexText(file: string, text: string, noun: FileNoun = "plan"): TextIndex {
  const starts = lineStarts(text);
  const position = (offset: number): Position => {
    const inside = clamp(offset, 0, text.length);
    const line = lineIndex(starts, inside);
    return { line: line + 1, col: inside - (starts[line] as number) + 1 };
  };
  const range = (start: number, end: number): SourceRange => {
    const from = clamp(start, 0, text.length);
    return { file, start: position(from), end: position(clamp(end, from, text.length)) };
  };
  return {
    ...{ file, text, noun, range },
    lineRange: (start, end) => range(start, Math.min(end, lineEnd(text, start))),
  };
}

/** The offset behind the last character of a line, without its line break. */
function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf("\n", clamp(offset, 0, text.length));
  if (feed === -1) return text.length;
  return text[feed - 1] === "\r" && feed > offset ? feed - 1 : feed;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The beginning of a line of a file whose text is not at hand. */
export function lineIn(file: string, line: number): SourceRange {
  const start = { line, col: 1 };
  return { file, start, end: start };
}
