// A .worktreeinclude, from text to patterns. Its words are those of .gitignore, and git itself matches them.

import { buildPlanFinding } from "../core/analyze/catalog.ts";
import { findCopyProblem } from "../core/analyze/preparation.ts";
import type { Diagnostic, Position, SourceRange } from "../core/source.ts";
import { buildFileFinding } from "./file-catalog.ts";

/** What the file is called, at the root of a repository; other tools read the same. */
export const INCLUDE_FILE = ".worktreeinclude";

export type ReadInclude = {
  readonly include: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Without comments and blank lines. git drops a pattern that it cannot read and says nothing: here it is told, because a
 * missing file shows itself much later.
 */
export function readInclude(file: string, text: string): ReadInclude {
  const include: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [i, written] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    const line = withoutEnd(written.replace(/\r$/, ""));
    if (line === "" || line.startsWith("#")) continue;
    const problem = problemOf(line, rangeOf(file, i + 1, line));
    if (problem === null) include.push(line);
    else diagnostics.push(problem);
  }
  return { include, diagnostics };
}

function problemOf(line: string, at: SourceRange): Diagnostic | null {
  const shape = shapeProblem(line);
  const place = placeProblem(line);
  if (shape !== null) return buildFileFinding("bad-include", { pattern: line, problem: shape }, at);
  if (place === null) return null;
  return buildPlanFinding("copy-escapes", { subject: INCLUDE_FILE, value: line, problem: place }, at);
}

/** Blanks at the end count only behind a backslash. */
function withoutEnd(line: string): string {
  const kept = /^.*\\ /.exec(line)?.[0] ?? "";
  return kept + line.slice(kept.length).replace(/[ \t]+$/, "");
}

function shapeProblem(line: string): string | null {
  if (Array.from(line).some((c) => (c < " " && c !== "\t") || c === "\u007f"))
    return "contains a control character";
  if (/^!?\/*$/.test(line)) return "names nothing";
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return "ends with a backslash";
  const open = line.replace(/\\./g, "").replace(/\[[!^]?\]?[^\]]*\]/g, "");
  return open.includes("[") ? "has a [ without its ]" : null;
}

/** A slash in front only ties a pattern to the root. */
function placeProblem(line: string): string | null {
  const path = line.replace(/^!/, "").replace(/^\/+/, "").replace(/\\/g, "");
  return findCopyProblem(path);
}

function rangeOf(file: string, line: number, text: string): SourceRange {
  const place = (col: number): Position => ({ line, col });
  return { file, start: place(1), end: place(text.length + 1) };
}
