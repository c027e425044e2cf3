import type { DiffLine, Hunk } from "../../../report/diff/parse-diff.ts";
import { visible } from "../../parts/ansi.ts";
import type { Language } from "./languages.ts";
import { type Inside, type Token, tokenLine } from "./tokens.ts";

/** A line of a hunk with its colors, and what of it is new. */
export type CodeLine = {
  readonly line: DiffLine;
  readonly tokens: readonly Token[];
  readonly part: Part | null;
  /** Its line break, where changed lines of both kinds stand beside each other: else nobody would see what changed. */
  readonly ending: "CRLF" | "LF" | null;
};

const MAX_LINE = 4_000;

/** Both sides are read as the texts that they are: a comment that was opened by a removed line is open for removed lines only. */
export function codeLines({ lines }: Hunk, language: Language | null): CodeLine[] {
  const parts = changedParts(lines.map((line) => ({ ...line, text: withoutReturn(line.text) })));
  const endings = new Set(lines.filter(({ kind }) => kind !== "same").map(findEnding));
  let [old, now]: [Inside, Inside] = [null, null];
  return lines.map((line, n) => {
    const before = line.kind === "removed" ? old : now;
    // A carriage return at the end is part of the line break.
    const { tokens, inside } = tokenLine(language, shown(line.text), before);
    if (line.kind !== "added") old = inside;
    if (line.kind !== "removed") now = inside;
    const part = parts.get(n) ?? null;
    // Where signs were made visible, places are others than in the text.
    const isSame = shown(line.text).length === withoutReturn(line.text).length;
    const ending = line.kind !== "same" && endings.size > 1 ? findEnding(line) : null;
    return { line, tokens, part: isSame ? part : null, ending };
  });
}

function shown(text: string): string {
  const cut =
    text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} … ${text.length - MAX_LINE} more characters` : text;
  return visible(withoutReturn(cut));
}

const withoutReturn = (text: string): string => (text.endsWith("\r") ? text.slice(0, -1) : text);
const findEnding = ({ text }: DiffLine): "CRLF" | "LF" => (text.endsWith("\r") ? "CRLF" : "LF");

/** From where to where a line differs from the one that it replaced. */
export type Part = { readonly from: number; readonly to: number };

/**
 * Lines that were replaced one by one, by their place in the hunk: what lies between the same beginning and the same end. Only where
 * enough is the same, for else the whole line is news.
 */
function changedParts(lines: readonly DiffLine[]): ReadonlyMap<number, Part> {
  const parts = new Map<number, Part>();
  let at = 0;
  while (at < lines.length) {
    const removed = runLength(lines, at, "removed");
    const added = runLength(lines, at + removed, "added");
    if (removed > 0 && removed === added) {
      for (let n = 0; n < removed; n += 1) {
        const [a, b] = [at + n, at + removed + n];
        const found = differing((lines[a] as DiffLine).text, (lines[b] as DiffLine).text);
        if (found === null) continue;
        parts.set(a, found[0]).set(b, found[1]);
      }
    }
    at += Math.max(1, removed + added);
  }
  return parts;
}

function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let at = from;
  while (lines[at]?.kind === kind) at += 1;
  return at - from;
}

function differing(a: string, b: string): readonly [Part, Part] | null {
  const shortest = Math.min(a.length, b.length);
  let head = 0;
  while (head < shortest && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const words = (a.slice(0, head) + a.slice(a.length - tail)).trim().length;
  if (words * 3 < Math.max(a.length, b.length)) return null;
  return [
    { from: head, to: a.length - tail },
    { from: head, to: b.length - tail },
  ];
}

/** Pieces of a line, cut where a part of it begins and ends. */
export function cutAt<P extends { readonly text: string }>(
  pieces: readonly P[],
  parts: readonly Part[],
): (P & { readonly isIn: boolean })[] {
  const cut: (P & { readonly isIn: boolean })[] = [];
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    for (let from = at; from < end; ) {
      while (next < parts.length && (parts[next] as Part).to <= from) next += 1;
      const part = parts[next];
      const isIn = part !== undefined && part.from <= from;
      const to = Math.min(end, part === undefined ? end : isIn ? part.to : part.from);
      cut.push({ ...piece, text: piece.text.slice(from - at, to - at), isIn });
      from = to;
    }
    at = end;
  }
  return cut;
}
