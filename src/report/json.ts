import { plainText } from "../core/text/sentence.ts";
import type { RunReport } from "./model.ts";

/**
 * The report for other programs. It may end on a terminal all the same: what could move its cursor, turn the direction of
 * writing or hide itself is written as \uXXXX, the same value for every reader.
 */
export function jsonReport(report: RunReport): string {
  return `${JSON.stringify({ ...report, text: plainText(report.text) }, null, 1).replace(UNSEEN, spelled)}\n`;
}

const UNSEEN = /[\u007f-\u009f\u115f\u1160\u3164\uffa0\p{Cf}\p{Zl}\p{Zp}]/gu;

function spelled(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}
