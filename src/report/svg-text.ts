import { printable } from "../util/printable.ts";

/** Texts in SVG files: nothing of them is markup, and their width is known without a font. */

export function escaped(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Good enough for a box: what lies beyond the alphabets counts as two. */
export function cellsOf(text: string): number {
  return [...text].reduce((sum, char) => sum + ((char.codePointAt(0) as number) >= 0x1100 ? 2 : 1), 0);
}

const LONGEST_ID = 32;

export function shortId(id: string): string {
  return id.length <= LONGEST_ID ? id : `${id.slice(0, LONGEST_ID / 2)}…${id.slice(1 - LONGEST_ID / 2)}`;
}
