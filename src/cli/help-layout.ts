import { wrapWords } from "./render/width.ts";

/** The layout of help and lists: headings with two columns below. */
export type Row = readonly [term: string, summary: string];

export function measureTerms(terms: readonly string[]): number {
  return Math.max(0, ...terms.map((term) => term.length));
}

/** Below this the right column would be a ladder of single words. */
const LEAST_RIGHT = 26;

/** Terms are never wrapped, because people copy them; summaries go below where there is no room beside. */
export function renderRows(
  title: string,
  rows: readonly Row[],
  {
    left = measureTerms(rows.map(([term]) => term)),
    width,
  }: { readonly left?: number; readonly width: number },
): string[] {
  if (rows.length === 0) return [];
  const right = width - left - 4;
  const isWide = right >= LEAST_RIGHT;
  const lines = rows.flatMap(([term, summary]) => {
    if (!isWide) return [`  ${term}`, ...wrapWords(summary, width - 4).map((line) => `    ${line}`)];
    return wrapWords(summary, right).map((line, i) => `  ${(i === 0 ? term : "").padEnd(left)}  ${line}`);
  });
  return [title, ...lines];
}

export function joinParts(parts: readonly (readonly string[])[]): string {
  const filled = parts.filter(({ length }) => length > 0);
  return `${filled.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
