import type { AnsiLine, Span } from "../../parts/ansi.ts";

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
