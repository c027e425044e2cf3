import type { DiffLine, Hunk } from "../../../report/diff/parse-diff.ts";
import { visible } from "../../parts/ansi.ts";
import { changedParts, type Part } from "./changed-part.ts";
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
