import { type DiffFile, type DiffLine, fileNotes, parseDiff } from "../../../report/diff/parse-diff.ts";
import { bold, dim, type Line, type Span, styled } from "../line.ts";
import { cutLine, type Look, spread } from "../run/look.ts";
import { shown } from "../visible.ts";
import { cells, cutEnd, cutPath, padStart, wrapWords } from "../width.ts";
import type { Body } from "./body.ts";

export type DiffView = {
  readonly text: string;
  /** Bytes that are left out of it. */
  readonly cutBytes: number;
  /** What was found about a file: that another task owns it. */
  readonly notes: ReadonlyMap<string, string>;
  readonly wraps: boolean;
};

/** Below this there are no line numbers. */
const NARROW = 60;

export function diffBody({ text, cutBytes, notes, wraps }: DiffView, look: Look): Body {
  const found = parseDiff(text);
  const lines: Line[] = [];
  const [files, hunks]: [number[], number[]] = [[], []];
  const shape: Shape = { look, wraps, number: look.width < NARROW ? 0 : numberWidth(found) };
  for (const file of found) {
    files.push(lines.length);
    lines.push(fileLine(file, notes.get(file.path), look));
    if (file.isBinary) lines.push([dim("not shown")]);
    for (const { newStart, context, lines: rows } of file.hunks) {
      hunks.push(lines.length);
      const indent = " ".repeat(shape.number === 0 ? 0 : 2 * shape.number + 4);
      const name = context === "" ? "" : `  ${shown(context, look.glyphs)}`;
      const length = rows.filter((row) => row.new !== null).length;
      lines.push(cutLine([dim(`${indent}@@ ${newStart},${length}${name}`)], look));
      for (const row of rows) lines.push(...rowLines(row, shape));
    }
  }
  if (cutBytes > 0)
    lines.push([styled("yellow", `${cutBytes.toLocaleString("en-US")} bytes are left out here`)]);
  return { lines, files, hunks };
}

/** `7 files +184 -22`. */
export function diffFigures(text: string): string {
  const files = parseDiff(text);
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + file[of], 0);
  return `${files.length} file${files.length === 1 ? "" : "s"} +${sum("added")} -${sum("removed")}`;
}

type Shape = { readonly look: Look; readonly wraps: boolean; readonly number: number };

function numberWidth(files: readonly DiffFile[]): number {
  const most = files.reduce(
    (high, { hunks }) =>
      hunks.reduce((max, { newStart, lines }) => Math.max(max, newStart + lines.length), high),
    0,
  );
  return Math.max(4, String(most).length);
}

function fileLine(file: DiffFile, note: string | undefined, look: Look): Line {
  const { path, added, removed } = file;
  const { glyphs, width } = look;
  const figures = `+${added} -${removed}`;
  const what = fileNotes(file)
    .map((one) => `  ${shown(one, glyphs)}`)
    .join("");
  const warning = note === undefined || width < NARROW ? "" : `  ${glyphs.warning} ${shown(note, glyphs)}`;
  const room = Math.max(8, width - cells(figures) - 2);
  const name = cutPath(shown(path, glyphs), room, glyphs.cut);
  return spread([bold(name), dim(what), styled("yellow", warning)], [figures], look);
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

function rowLines({ kind, old, new: now, text }: DiffLine, { look, wraps, number }: Shape): Line[] {
  const { glyphs, width } = look;
  const numbers = number === 0 ? "" : `${padStart(textOf(old), number)} ${padStart(textOf(now), number)} `;
  const room = Math.max(4, width - cells(numbers) - 2);
  const code = shown(text.replaceAll("\t", "    "), glyphs);
  const parts = wraps ? wrapWords(code, room) : [cutEnd(code, room, glyphs.cut)];
  const rest = " ".repeat(cells(numbers));
  return parts.map(
    (part, n): Line => [
      dim(n === 0 ? numbers : rest),
      codeSpan(kind, `${n === 0 ? SIGNS[kind] : " "} ${part}`),
    ],
  );
}

const textOf = (line: number | null): string => (line === null ? "" : String(line));

function codeSpan(kind: DiffLine["kind"], text: string): Span {
  return kind === "same" ? text : styled(kind === "added" ? "green" : "red", text);
}
