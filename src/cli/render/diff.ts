import type { Glyphs } from "./glyphs.ts";
import { bold, type Line, type Span, styled } from "./line.ts";
import { shown } from "./visible.ts";

/** A diff in colours of our own: git's would stand among what the files themselves say. */
export function diffLines(text: string, glyphs: Glyphs): Line[] {
  let inHunk = false;
  return text
    .trimEnd()
    .split("\n")
    .map((raw): Line => {
      if (/^diff /.test(raw)) inHunk = false;
      else if (raw.startsWith("@@")) inHunk = true;
      return [spanOf(shown(raw.replaceAll("\t", "    "), glyphs), inHunk)];
    });
}

function spanOf(line: string, inHunk: boolean): Span {
  if (line.startsWith("@@")) return styled("cyan", line);
  if (inHunk && line.startsWith("+")) return styled("green", line);
  if (inHunk && line.startsWith("-")) return styled("red", line);
  return !inHunk && /^(diff|index|---|\+\+\+|new|deleted|rename|similarity|old) /.test(line)
    ? bold(line)
    : line;
}
