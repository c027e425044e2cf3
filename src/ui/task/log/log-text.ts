import type { CutText } from "../../../report/page/wire.ts";
import { type AnsiLine, plainLine, type Span } from "../../parts/ansi.ts";
import type { Part } from "../diff/code-lines.ts";

/** Where a text was found. */
export type Found = {
  /** The lines that have it, from 0. */
  readonly lines: readonly number[];
  readonly isIn: (line: number) => boolean;
  readonly partsOf: (line: number) => readonly Part[];
};

/** Every line that has it; both are in small letters. */
export function findInLines(texts: readonly string[], wanted: string): Found {
  if (wanted === "") return NOTHING;
  const lines = texts.flatMap((text, n) => (text.includes(wanted) ? [n] : []));
  const all = new Set(lines);
  return {
    lines,
    isIn: (line) => all.has(line),
    partsOf: (line) => (all.has(line) ? partsIn(texts[line] ?? "", wanted) : []),
  };
}

const NOTHING: Found = { lines: [], isIn: () => false, partsOf: () => [] };

const MOST_PARTS = 200;

function partsIn(text: string, wanted: string): Part[] {
  const parts: Part[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && parts.length < MOST_PARTS; ) {
    parts.push({ from: at, to: at + wanted.length });
    at = text.indexOf(wanted, at + wanted.length);
  }
  return parts;
}

/** The lines that stand for the middle of a long log: of what was kept (process/attempt-log.ts), and of what the page is cut (app/page/cut-text.ts). */
const LEFT_OUT = /^\[(?:plait: +(\d{1,15}) bytes are left out here|(\d[\d,]{0,19}) bytes are left out)\]$/;

/** How much such a line stands for; null for all others. */
export function cutBytes(line: AnsiLine): number | null {
  if (line.length !== 1 || line[0]?.text.startsWith("[") !== true) return null;
  const [, kept, cut] = LEFT_OUT.exec(plainLine(line)) ?? [];
  const bytes = kept ?? cut;
  return bytes === undefined ? null : Number(bytes.replaceAll(",", ""));
}

/** The place of the first of them, behind all lines where nothing is left out. */
export function cutPlace(lines: readonly AnsiLine[]): number {
  const at = lines.findIndex((line) => cutBytes(line) !== null);
  return at < 0 ? lines.length : at;
}

/** A line may have megabytes; a browser needs not. */
export const MAX_SHOWN = 4_000;

/** The beginning of a long line, and how much of it is not there. */
export function shortLine(line: AnsiLine): { readonly line: AnsiLine; readonly hidden: number } {
  const shown: Span[] = [];
  let [left, hidden] = [MAX_SHOWN, 0];
  for (const span of line) {
    if (left >= span.text.length) shown.push(span);
    else {
      if (left > 0) shown.push({ ...span, text: span.text.slice(0, left) });
      hidden += span.text.length - left;
    }
    left = Math.max(0, left - span.text.length);
  }
  return hidden === 0 ? { line, hidden } : { line: shown, hidden };
}

/**
 * The log for a person who reads in it: of one over its cap the middle goes while more is printed, and all below would move under
 * their eyes. So they keep what they have until they follow again; lines that are only added come at once.
 */
export function stillLog(seen: CutText, newest: CutText, isReading: boolean): CutText {
  return isReading && !newest.text.startsWith(seen.text) ? seen : newest;
}
