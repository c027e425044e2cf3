import { count } from "../../core/text/figures.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line, plainText } from "./line.ts";
import { cells, cutEnd, cutMiddle, pad, wrapWords } from "./width.ts";

/** Rows of labels and texts that fit the terminal. */

/** Width of the labels on the left: the longest is "commands". */
export const LABEL = 9;

/** Below this there is no room for columns beside each other, nor for bars. */
export const NARROW = 60;

/** Sections show this many rows; the rest is counted, and `--json` has all. */
const MOST_ROWS = 12;
/** And a cell this much text, in at least so many lines. */
const MOST_CELLS = 280;
const MOST_LINES = 4;
const LONGEST_ID = 24;

export type Room = { readonly width: number; readonly glyphs: Glyphs };

/** Rows under one label, in columns that are wrapped, so that all can be read; where it is narrow, one below the other. */
export function section(label: string, rows: readonly (readonly string[])[], room: Room): Line[] {
  const listed = rows.slice(0, MOST_ROWS);
  const lines = room.width < NARROW ? stacked(listed, room) : inColumns(listed, room);
  const more = rows.length - listed.length;
  const rest: Line[] = more > 0 ? [[" ".repeat(LABEL), dim(`and ${more} more, all with --json`)]] : [];
  return [...lines.map((text, index): Line => [dim(pad(index === 0 ? label : "", LABEL)), text]), ...rest];
}

function inColumns(rows: readonly (readonly string[])[], { width, glyphs }: Room): string[] {
  const columns = columnWidths(rows, width - LABEL);
  return rows.flatMap((row) => {
    const cellsOfRow = row.map((text, column) => {
      const isLast = column === row.length - 1;
      const space = isLast ? restOf(columns, column, width - LABEL) : (columns[column] as number);
      return { lines: wrapped(text, space, glyphs), space: isLast ? 0 : space + 2 };
    });
    const height = Math.max(...cellsOfRow.map(({ lines }) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cellsOfRow.map(({ lines, space }) => pad(lines[line] ?? "", space)).join(""),
    );
  });
}

/** What belongs to a row but has no room in its first line stands below, a little to the right. */
function stacked(rows: readonly (readonly string[])[], { width, glyphs }: Room): string[] {
  const space = width - LABEL;
  return rows.flatMap((row) => {
    const whole = row.filter((text) => text !== "").join("  ");
    if (cells(whole) <= space) return [whole];
    const left = row.slice(0, -1).filter((text) => text !== "");
    const last = wrapped(row.at(-1) ?? "", left.length === 0 ? space : space - 2, glyphs);
    if (left.length === 0) return last;
    return [...wrapped(left.join("  "), space, glyphs), ...last.map((line) => `  ${line}`)];
  });
}

/** How wide a column of names may be beside other columns. */
export function listWidth(width: number): number {
  return width < NARROW ? width - LABEL : Math.floor((width - LABEL) / 3);
}

/** An id as wide as it may be among others. */
export function shortId(id: string, { cut }: Glyphs): string {
  return cutMiddle(id, LONGEST_ID, cut);
}

/** Names with commas, as many as fit, then how many more: "api, page, +3". */
export function names(ids: readonly string[], width: number, glyphs: Glyphs): string {
  const fitting: string[] = [];
  let used = 0;
  for (const id of ids) {
    const text = shortId(id, glyphs);
    used += cells(text) + ", ".length;
    const isLast = fitting.length === ids.length - 1;
    if (used - ", ".length > width) break;
    fitting.push(text);
    if (isLast) return fitting.join(", ");
  }
  for (; fitting.length > 0; fitting.pop()) {
    const text = [...fitting, `+${ids.length - fitting.length}`].join(", ");
    if (cells(text) <= width) return text;
  }
  return ids.length === 0 ? "" : count(ids.length, "task");
}

/** One text on the left and one at the right edge, in two lines when one is too short for both. */
export function leftAndRight(left: Line, right: Line, width: number): Line[] {
  const gap = width - cells(plainText(left)) - cells(plainText(right));
  return gap >= 2 ? [[...left, " ".repeat(gap), ...right]] : [left, right];
}

/** Parts with two blanks between them, wrapped between parts. */
export function wrapParts(parts: readonly Line[], width: number): Line[] {
  const lines: Line[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer: Line = last === undefined ? part : [...last, "  ", ...part];
    if (last !== undefined && cells(plainText(longer)) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Each gets what it needs, all but the last up to a third of the room. */
function columnWidths(rows: readonly (readonly string[])[], room: number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((text, column) => {
      if (column < row.length - 1)
        widths[column] = Math.max(widths[column] ?? 0, Math.min(Math.floor(room / 3), cells(text)));
    });
  }
  return widths;
}

function restOf(columns: readonly number[], column: number, room: number): number {
  const used = columns.slice(0, column).reduce((sum, width) => sum + width + 2, 0);
  return Math.max(6, room - used);
}

function wrapped(text: string, width: number, glyphs: Glyphs): string[] {
  const lines = wrapWords(text, width);
  const most = Math.max(MOST_LINES, Math.ceil(MOST_CELLS / width));
  if (lines.length <= most) return lines;
  return lines
    .slice(0, most)
    .map((line, index) => (index === most - 1 ? `${cutEnd(line, width - 2, "")} ${glyphs.cut}` : line));
}
