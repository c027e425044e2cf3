import type { TheirTask } from "../../../core/select/task-lists.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { listParts, type Sentence, plainText as sentenceText } from "../../../core/text/sentence.ts";
import type { Glyphs } from "../glyphs.ts";
import { dim, type Line, plainText, type Span, type Style, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cells, cutEnd, cutPath } from "../width.ts";

/** How a run is drawn: for how many cells and with which signs. */
export type Look = {
  readonly width: number;
  readonly glyphs: Glyphs;
  /** Whether the last column of a table keeps its whole text: no terminal would break the line. */
  readonly isUnbounded?: boolean;
};

/** The cells for the last column of a table that leaves `room`. */
export function measureLastColumn(room: number, { isUnbounded = false }: Look): number {
  return isUnbounded ? Number.POSITIVE_INFINITY : Math.max(6, room);
}

/** What ^C does to a run where it is shown: to who drives it, and to who only watches. */
export type Interrupt = "stops" | "leaves";

/** Colors show who moves a task next. */
const stateStyles: { readonly [S in StatusKind]: Style } = {
  waiting: "dim",
  running: "cyan",
  fixing: "cyan",
  preparing: "magenta",
  saving: "magenta",
  checking: "magenta",
  queued: "magenta",
  merging: "magenta",
  retrying: "yellow",
  paused: "yellow",
  held: "red",
  failed: "red",
  merged: "green",
  passed: "green",
  skipped: "dim",
  dropped: "dim",
  stopped: "yellow",
  interrupted: "red",
};

/** What a person has and where: every path in full, because it is copied (I8). */
export function openLines(open: readonly TheirTask[], label: number, { glyphs }: Look): Line[] {
  return open.map(({ task, worktree }, n): Line => {
    const where = worktree === null ? "not ready yet" : `at ${shown(worktree, glyphs)}`;
    return [dim((n === 0 ? "open" : "").padEnd(label)), `${task} ${where}`];
  });
}

/** Of a task at rest; what runs turns only where the caller says which frame it is. */
export function sign(state: StatusKind, glyphs: Glyphs, frame: number | null = null): Span {
  const turns = frame !== null && (state === "running" || state === "fixing");
  const text = turns ? (glyphs.spinner[frame % glyphs.spinner.length] as string) : glyphs.states[state];
  return styled(stateStyles[state], text);
}

/** The line in at most so many cells: what is beyond is cut off, with a mark. */
export function cutLine(line: Line, { width, glyphs: { cut } }: Look): Line {
  if (cells(plainText(line)) <= width) return line;
  const spans: Span[] = [];
  let left = width;
  for (const [n, span] of line.entries()) {
    const text = typeof span === "string" ? span : span.text;
    const size = cells(text);
    // The mark takes room, so a span that just fits is cut as well when something follows.
    if (size <= left - (n === line.length - 1 ? 0 : cells(cut))) {
      spans.push(span);
      left -= size;
      continue;
    }
    const short = left >= cells(cut) ? forceCut(text, left, cut) : "";
    return [...spans, typeof span === "string" ? short : { ...span, text: short }];
  }
  return spans;
}

/** The line in as many as it takes: nothing is lost, so that a path can be copied. */
export function foldLine(line: Line, width: number): Line[] {
  if (cells(plainText(line)) <= width) return [line];
  const lines: Span[][] = [[]];
  let left = width;
  for (const span of line) {
    const { text, ...rest } = typeof span === "string" ? { text: span } : span;
    for (const char of text) {
      const size = cells(char);
      if (size > left) {
        lines.push([]);
        left = width;
      }
      left -= size;
      lines.at(-1)?.push({ ...rest, text: char });
    }
  }
  return lines;
}

/** Also a text that would fit gets the mark: something was cut off behind it. */
function forceCut(text: string, width: number, mark: string): string {
  return cutEnd(cells(text) <= width ? `${text}${" ".repeat(width)}x` : text, width, mark);
}

/** One text on the left and one at the right edge; the left one gives way. */
export function spread(left: Line, right: Line, look: Look): Line {
  const room = look.width - cells(plainText(right));
  const kept = cutLine(left, { ...look, width: Math.max(0, room - 1) });
  return [...kept, " ".repeat(Math.max(0, room - cells(plainText(kept)))), ...right];
}

/** The first that fits, else the last. */
export function firstFitting(lines: readonly Line[], width: number): Line {
  return lines.find((line) => cells(plainText(line)) <= width) ?? lines.at(-1) ?? [];
}

/** `Edit src/checkout/form.tsx`: the words stay, a path at the end loses its beginning. Other sentences lose their end. */
export function cutAction(action: Sentence, width: number, glyphs: Glyphs): string {
  const text = shown(sentenceText(action), glyphs);
  if (cells(text) <= width) return text;
  const last = listParts(action).at(-1);
  const path = typeof last === "object" && last.kind === "path" ? shown(last.path, glyphs) : "";
  const words = text.slice(0, text.length - path.length);
  const room = width - cells(words);
  return path === "" || room < 8 ? cutEnd(text, width, glyphs.cut) : words + cutPath(path, room, glyphs.cut);
}
