import type { Part } from "../front-matter.ts";
import { linesOf } from "./scope.ts";

/** Lines of a Markdown text, and whether each is code: part of a block between fences that begins in the first column. */
export type ProseLine = { readonly text: string; readonly start: number; readonly isCode: boolean };

/**
 * A block that is indented belongs to an item of a list, and so do its lines: none of them can be taken for a heading. So only
 * blocks in the first column are looked for.
 */
export function* proseOf(text: string, part: Part): Generator<ProseLine> {
  let fence: string | null = null;
  for (const { text: line, start } of linesOf(text, part)) {
    const isOpen = fence !== null;
    fence ??= openedBy(line);
    yield { text: line, start, isCode: fence !== null };
    if (isOpen && fence !== null && isClosedBy(line, fence)) fence = null;
  }
}

/** What would close the block that is still open at the end of the text; null where none is. */
export function openFence(text: string): string | null {
  let fence: string | null = null;
  for (const line of linesOf(text, { start: 0, end: text.length })) {
    if (fence === null) fence = openedBy(line.text);
    else if (isClosedBy(line.text, fence)) fence = null;
  }
  return fence;
}

function openedBy(line: string): string | null {
  if (line[0] !== "`" && line[0] !== "~") return null; // nearly every line
  return /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean) ?? null;
}

function isClosedBy(line: string, fence: string): boolean {
  const told = line.trim();
  return told.length >= fence.length && told === (fence[0] as string).repeat(told.length);
}

/** Without empty lines at both ends; the first line keeps its indentation. Line ends are those of Unix. */
export function withoutBlankEnds(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .trimEnd()
    .replace(/^(?:[^\S\n]*\n)+/, "");
}

/** Without the signs of one kind that a text ends with. A pattern that looks for the end tries from each of them anew. */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
