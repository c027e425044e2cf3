import { count } from "../../core/select/preview/words.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line, plainText } from "./line.ts";
import { cells, cutEnd, cutMiddle, pad, wrapWords } from "./width.ts";

/** Rows of labels and texts that fit the terminal. */

/** Width of the labels on the left: the longest is "commands". */
export const LABEL = 9;

/** Sections show this many rows; the rest is counted, and `--json` has all. */
const MOST_ROWS = 12;
/** And a row this many lines. */
const MOST_LINES = 4;
const LONGEST_ID = 24;

export type Room = { readonly width: number; readonly glyphs: Glyphs };

/** Rows under one label, in columns. The last column takes what is left and is wrapped: it must be readable whole. */
export function section(
  label: string,
  rows: readonly (readonly string[])[],
  { width, glyphs }: Room,
): Line[] {
  const shown = rows.slice(0, MOST_ROWS);
  const columns = columnWidths(shown, width - LABEL);
  const lines = shown.flatMap((row) => {
    const left = row.slice(0, -1).map((text, column) => {
      const room = columns[column] as number;
      return `${pad(cutEnd(text, room, glyphs.cut), room)}  `;
    });
    const last = wrapped(row.at(-1) ?? "", columns.at(-1) as number, glyphs);
    const indent = " ".repeat(cells(left.join("")));
    return last.map((text, index) => (index === 0 ? left.join("") : indent) + text);
  });
  const more = rows.length - shown.length;
  const rest: Line[] = more > 0 ? [[" ".repeat(LABEL), dim(`and ${more} more, all with --json`)]] : [];
  return [...lines.map((text, index): Line => [dim(pad(index === 0 ? label : "", LABEL)), text]), ...rest];
}

/** How wide a column of names may be beside other columns. */
export function listWidth(width: number): number {
  return Math.floor((width - LABEL) / 3);
}

/** An id as wide as it may be among others. */
export function shortId(id: string, { cut }: Glyphs): string {
  return cutMiddle(id, LONGEST_ID, cut);
}

/** Names with commas, as many as fit, then how many more: "api, page, +3". */
export function names(ids: readonly string[], width: number, glyphs: Glyphs): string {
  const short = ids.map((id) => shortId(id, glyphs));
  for (let shown = ids.length; shown > 0; shown -= 1) {
    const rest = ids.length - shown;
    const text = [...short.slice(0, shown), ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
    if (cells(text) <= width) return text;
  }
  return ids.length === 0 ? "" : count(ids.length, "task");
}

/** One text on the left and one at the right edge, in two lines when one is too short for both. */
export function leftAndRight(left: Line, right: Line, width: number): Line[] {
  const gap = width - cells(plainText(left)) - cells(plainText(right));
  return gap >= 2 ? [[...left, " ".repeat(gap), ...right]] : [left, right];
}

/** Parts with a separator, wrapped between parts; further lines are indented. */
export function wrapParts(
  parts: readonly Line[],
  {
    width,
    separator,
    indent,
  }: { readonly width: number; readonly separator: string; readonly indent: string },
): Line[] {
  const lines: Line[] = [];
  let used = 0;
  for (const part of parts) {
    const size = cells(plainText(part));
    const last = lines.at(-1);
    if (last !== undefined && used + separator.length + size <= width) {
      lines[lines.length - 1] = [...last, separator, ...part];
      used += separator.length + size;
    } else {
      lines.push(last === undefined ? part : [indent, ...part]);
      used = size + (last === undefined ? 0 : indent.length);
    }
  }
  return lines;
}

/** All but the last column get what they need, up to a third of the room each. */
function columnWidths(rows: readonly (readonly string[])[], room: number): number[] {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(Math.floor(room / 3), Math.max(0, ...rows.map((row) => cells(row[column] ?? "")))),
  );
  const used = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return [...widths.slice(0, -1), Math.max(6, room - used)];
}

function wrapped(text: string, width: number, glyphs: Glyphs): string[] {
  const lines = wrapWords(text, width);
  if (lines.length <= MOST_LINES) return lines;
  return lines
    .slice(0, MOST_LINES)
    .map((line, index) => (index === MOST_LINES - 1 ? `${line} ${glyphs.cut}` : line));
}
