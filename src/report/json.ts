import { plainText } from "../core/text/sentence.ts";
import type { RunReport } from "./model.ts";

/** The report for other programs. */
export const jsonReport = (report: RunReport): string =>
  jsonText({ ...report, text: plainText(report.text) }, { indent: 1 });

/**
 * A document for other programs. It may end on a terminal all the same, so control characters, marks that turn the
 * direction of writing and characters that hide themselves are written as \uXXXX: the same value for every reader.
 */
export function jsonText(
  document: unknown,
  { ascii = false, indent = 2 }: { readonly ascii?: boolean; readonly indent?: number } = {},
): string {
  return `${JSON.stringify(document, null, indent).replace(ascii ? BEYOND_ASCII : UNSEEN, escapes)}\n`;
}

const UNSEEN = /[\u007f-\u009f\u115f\u1160\u3164\uffa0\p{Cf}\p{Zl}\p{Zp}]/gu;
const BEYOND_ASCII = /[^\n\x20-\x7e]/gu;

/** Two for a character beyond the first plane. */
function escapes(char: string): string {
  return Array.from({ length: char.length }, (_, i) => {
    return `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }).join("");
}
