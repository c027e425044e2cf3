import { frontMatter, isWholePlan } from "../front-matter.ts";

/** A line that opens a dispatch block, behind whatever may stand in front of it in lists and quotations. */
const OPENING = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,})[ \t]*json[ \t]+dispatch[ \t]*\r?$/m;

/** Whether a text seems to hold a dispatch block. Whether it is one, or stands inside another block, only Markdown can tell. */
export function hasDispatch(path: string, text: string): boolean {
  return !isWholePlan(path) && OPENING.test(text.slice(bodyStart(path, text)));
}

/** Front matter is no Markdown. */
export function bodyStart(path: string, text: string): number {
  return frontMatter(path, text)?.end ?? 0;
}
