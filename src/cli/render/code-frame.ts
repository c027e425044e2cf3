import type { SourceRange } from "../../core/source.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line, type Style, styled } from "./line.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, pad, padStart } from "./width.ts";

/**
 * The place that a finding is about: its line with an underline, and what stands around it. The underline fits what is
 * shown, not what is written: tabs are widened, wide characters take two cells, hidden ones are spelled out, and of a
 * very long line only the part around the place is shown.
 */
export type FrameOptions = {
  readonly glyphs: Glyphs;
  /** Of the terminal, in cells. */
  readonly width: number;
  readonly style: Style;
  /** How many lines are shown before and after the place. */
  readonly before: number;
  readonly after: number;
};

const TAB = 4;
/** Of a place with more lines, the first ones and the last are shown. */
const LINES_AT_THE_START = 3;
const LEAST_ROOM = 20;

export function codeFrame(source: readonly string[], range: SourceRange, options: FrameOptions): Line[] {
  const place = placeIn(source, range);
  const numbers = numbersShown(place, source.length, options);
  const digits = String(numbers.at(-1)).length;
  const room = Math.max(LEAST_ROOM, options.width - digits - 5);
  const from = firstColumnShown(place, { room, ...options });
  const rail = ` ${" ".repeat(digits + 1)} ${options.glyphs.rail}`;
  return numbers.flatMap((number, index): Line[] => {
    const isPlace = number >= place.first && number <= place.last;
    const gutter = `${isPlace ? ">" : " "} ${padStart(String(number), digits)} ${options.glyphs.rail}`;
    const text = shownPart(textOf(source, number), from, { room, ...options });
    const follows = index === 0 || numbers[index - 1] === number - 1;
    return [
      ...(follows ? [] : [[dim(`${rail} ${options.glyphs.cut}`)]]),
      [isPlace ? styled(options.style, gutter) : dim(gutter), text === "" ? "" : ` ${text}`],
      ...(number === place.first ? [[dim(rail), " ", ...underline(place, from, { room, ...options })]] : []),
    ];
  });
}

/** Where the place begins, in terms of lines that exist; columns count from 0 here. */
type Place = {
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
};

/** A range may end at the start of the line below, or lie behind the end of the text. */
function placeIn(source: readonly string[], { start, end }: SourceRange): Place {
  const first = clamp(start.line, 1, Math.max(1, source.length));
  const endsBefore = end.line > start.line && end.col <= 1;
  const last = clamp(endsBefore ? end.line - 1 : end.line, first, Math.max(1, source.length));
  const text = textOf(source, first);
  const from = clamp(start.col - 1, 0, text.length);
  const to = last > first || end.line > first ? text.length : clamp(end.col - 1, from, text.length);
  return { first, last, text, from, to };
}

function numbersShown({ first, last }: Place, count: number, { before, after }: FrameOptions): number[] {
  const top = range(Math.max(1, first - before), first - 1);
  const below = range(last + 1, Math.min(count, last + after));
  const middle =
    last - first <= LINES_AT_THE_START
      ? range(first, last)
      : [...range(first, first + LINES_AT_THE_START - 1), last];
  return [...top, ...middle, ...below];
}

/** The start of the line is shown unless the place would be far to the right. */
function firstColumnShown({ text, from, to }: Place, { room, glyphs }: Window): number {
  if (to <= room && cells(asShown(text.slice(0, to), glyphs)) <= room - cells(glyphs.cut)) return 0;
  const isNear = from <= room && cells(asShown(text.slice(0, from), glyphs)) <= (room * 2) / 3;
  return isNear ? 0 : wholeCharacter(text, from - Math.floor(room / 3));
}

type Window = { readonly room: number; readonly glyphs: Glyphs };

function shownPart(text: string, from: number, { room, glyphs }: Window): string {
  // More than fits in any case, and never the whole of a line of a megabyte.
  const part = text.slice(from, wholeCharacter(text, from + 2 * room));
  const head = from > 0 && text !== "" ? glyphs.cut : "";
  return cutEnd(head + asShown(part, glyphs), room, glyphs.cut).trimEnd();
}

function underline({ text, from: start, to }: Place, from: number, options: Window & FrameOptions): Line {
  const head = from > 0 ? cells(options.glyphs.cut) : 0;
  const cellOf = (column: number) =>
    head + cells(asShown(text.slice(from, Math.min(column, from + 2 * options.room)), options.glyphs));
  const left = Math.min(cellOf(start), options.room - 1);
  const right = clamp(cellOf(to), left + 1, options.room);
  return [" ".repeat(left), styled(options.style, "~".repeat(right - left))];
}

/** As it appears on the terminal, cell by cell. */
function asShown(text: string, glyphs: Glyphs): string {
  const [first = "", ...rest] = text.split("\t").map((part) => shown(part, glyphs));
  return rest.reduce((line, part) => pad(line, nextStop(cells(line))) + part, first);
}

function textOf(source: readonly string[], number: number): string {
  return (source[number - 1] ?? "").replace(/\r$/, "");
}

/** Not between the two halves of one character. */
function wholeCharacter(text: string, column: number): number {
  const code = text.charCodeAt(column);
  return column > 0 && code >= 0xdc00 && code <= 0xdfff ? column - 1 : Math.max(0, column);
}

const nextStop = (cell: number): number => (Math.floor(cell / TAB) + 1) * TAB;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
