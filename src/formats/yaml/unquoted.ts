import type { YAMLError } from "yaml";

/** A text that YAML takes for something else because it stands there without quotes; offsets, end exclusive. */
export type Unquoted = { readonly start: number; readonly end: number };

/**
 * The text that an error is about, where missing quotes are the cause: a glob with braces or brackets in a list, or a
 * text that starts with "*". Null for all other errors.
 */
export function unquotedAt(text: string, { code, pos: [at] }: YAMLError): Unquoted | null {
  const before = text.charAt(at - 1);
  const isInWord = /[^\s,[{]/.test(before);
  if (code === "MISSING_CHAR" && isInWord && /[[{]/.test(text.charAt(at))) return globAround(text, at);
  if (code === "UNEXPECTED_TOKEN" && /[\]}]/.test(before)) return globAround(text, at);
  if (code === "BAD_ALIAS" || code === "NON_STRING_KEY") return globAround(text, at) ?? aliasAt(text, at);
  if (code !== "UNEXPECTED_TOKEN") return null;
  const from = Math.max(0, at - LONGEST);
  const line = text.slice(from, at).split("\n").at(-1) ?? "";
  const alias = /^(?:.*?:[ \t]+|[ \t]*-[ \t]+)(?=\*\S*[ \t]+$)/.exec(line);
  return alias && { start: at - line.length + alias[0].length, end: lineEnd(text, at) };
}

/** A text that was meant as one is not longer; and there may be an error at each place of a very long line. */
const LONGEST = 300;

/** What stands in place of each character that YAML would read; of the same length, so that all offsets hold. */
const STAND_IN = "\ue0ff";

/** The same text with these parts (sorted, apart from one another) made harmless, so that the rest of it can be read. */
export function masked(text: string, parts: readonly Unquoted[]): string {
  let result = "";
  let done = 0;
  for (const { start, end } of parts) {
    result += text.slice(done, start) + STAND_IN.repeat(end - start);
    done = end;
  }
  return result + text.slice(done);
}

/** Sorted; of parts that overlap the first is kept. */
export function withoutOverlaps(parts: readonly Unquoted[]): Unquoted[] {
  const kept: Unquoted[] = [];
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    if (part.start >= (kept.at(-1)?.end ?? 0)) kept.push(part);
  }
  return kept;
}

/** The longest run without blanks around a place, in which brackets and braces are closed again. */
function globAround(text: string, at: number): Unquoted | null {
  let start = at;
  for (let open = 0; start > Math.max(0, at - LONGEST); start -= 1) {
    const character = text.charAt(start - 1);
    if (/\s/.test(character) || (open === 0 && /[,[{]/.test(character))) break;
    if (/[\]}]/.test(character)) open += 1;
    if (/[[{]/.test(character)) open -= 1;
  }
  let end = at;
  for (let open = 0; end < Math.min(text.length, at + LONGEST); end += 1) {
    const character = text.charAt(end);
    if (/\s/.test(character) || (open === 0 && /[,\]}]/.test(character))) break;
    if (/[[{]/.test(character)) open += 1;
    if (/[\]}]/.test(character)) open -= 1;
  }
  const word = text.slice(start, end);
  return /^[^\s"':]*([{[])[^\s"':]*[}\]][^\s"':]*$/.test(word) ? { start, end } : null;
}

/** Up to the end of an item in a list, or of the line. What is followed by a colon is a key. */
function aliasAt(text: string, start: number): Unquoted | null {
  const item = /^\*[^,\]}\r\n]*/.exec(text.slice(start, lineEnd(text, start)))?.[0].trimEnd();
  return item === undefined || item.includes(":") ? null : { start, end: start + item.length };
}

function lineEnd(text: string, at: number): number {
  const rest = text.slice(at, at + LONGEST).split("\n", 1)[0] ?? "";
  return at + rest.trimEnd().length;
}
