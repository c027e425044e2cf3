import type { Part } from "../diff/changed-part.ts";

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
