import type { DiffLine, Hunk } from "../../../report/diff/parse-diff.ts";
import { visible } from "../../parts/ansi.ts";
import { changedParts, type Part } from "./changed-part.ts";
import type { Language } from "./languages.ts";
import { type Inside, type Token, tokenLine } from "./tokens.ts";

/** A line of a hunk with its colours, and what of it is new. */
export type CodeLine = {
  readonly line: DiffLine;
  readonly tokens: readonly Token[];
  readonly part: Part | null;
};

const MAX_LINE = 4_000;

/** Both sides are read as the texts that they are: a comment that was opened by a removed line is open for removed lines only. */
export function codeLines({ lines }: Hunk, language: Language | null): CodeLine[] {
  const parts = changedParts(lines);
  let [old, now]: [Inside, Inside] = [null, null];
  return lines.map((line, n) => {
    const before = line.kind === "removed" ? old : now;
    // A carriage return at the end is part of the line break.
    const { tokens, inside } = tokenLine(language, shown(line.text), before);
    if (line.kind !== "added") old = inside;
    if (line.kind !== "removed") now = inside;
    const part = parts.get(n) ?? null;
    // Where signs were made visible, places are others than in the text.
    return { line, tokens, part: shown(line.text).length === line.text.length ? part : null };
  });
}

function shown(text: string): string {
  const cut =
    text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} … ${text.length - MAX_LINE} characters more` : text;
  return visible(cut.replace(/\r$/, ""));
}
