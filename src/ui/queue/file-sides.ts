import { type DiffFile, fileNotes, type Hunk, parseDiff } from "../../report/diff/parse-diff.ts";
import { visible } from "../parts/ansi.ts";

/** One file of a diff, as much of it as fits beside that of another task. */
export type SideLine = {
  readonly kind: "hunk" | "same" | "added" | "removed" | "note";
  /** Its number, in the new file where it is there. */
  readonly n: number | null;
  readonly text: string;
};

export type FileSide = { readonly lines: readonly SideLine[]; readonly cutLines: number };

const MOST_LINES = 160;
/** Agents write what they like: a line may be a megabyte. */
const LONGEST = 400;

/** What a diff says of this path; null where it says nothing of it. */
export function fileSide(diff: string, path: string): FileSide | null {
  const files = parseDiff(diff);
  const file = files.find((one) => one.path === path) ?? files.find((one) => one.from === path);
  if (file === undefined) return null;
  const all = [...listNotes(file), ...file.hunks.flatMap(linesOf)];
  const lines = all.slice(0, MOST_LINES).map((line) => ({ ...line, text: cut(line.text) }));
  return { lines, cutLines: all.length - lines.length };
}

function listNotes(file: DiffFile): SideLine[] {
  const notes = fileNotes(file);
  return notes.length === 0 ? [] : [{ kind: "note", n: null, text: notes.join(", ") }];
}

function linesOf({ context, lines }: Hunk): SideLine[] {
  return [
    { kind: "hunk", n: null, text: context },
    ...lines.map(({ kind, text, old, new: now }): SideLine => ({ kind, n: now ?? old, text })),
  ];
}

const cut = (text: string): string =>
  text.length > LONGEST ? `${visible(text.slice(0, LONGEST))}…` : visible(text);
