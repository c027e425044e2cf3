import type { DiffFile } from "./parse-diff.ts";

/** What is to be said of a changed file besides its lines: `new`, `renamed from old.ts`, `made executable`. Names are as they are. */
export function fileNotes({ status, from, mode, isBinary, hunks }: DiffFile): string[] {
  const notes: string[] = [];
  if (from !== null) notes.push(`${status === "copied" ? "copied" : "renamed"} from ${from}`);
  if (status === "added") notes.push("new");
  if (status === "deleted") notes.push("deleted");
  if (mode !== null) notes.push(modeText(mode));
  if (isBinary) notes.push("binary");
  const submodule = submoduleNote(hunks[0]?.lines.map(({ text }) => text) ?? []);
  if (submodule !== null) notes.push(submodule);
  return notes;
}

/** `submodule a1b2c3d → d4e5f6a`; null where it is a file. */
function submoduleNote(lines: readonly string[]): string | null {
  const commits = lines
    .slice(0, 2)
    .flatMap((line) => /^Subproject commit ([0-9a-f]{7})/.exec(line)?.[1] ?? []);
  return commits.length === 0 ? null : `submodule ${commits.join(" → ")}`;
}

function modeText({ from, to }: { readonly from: string; readonly to: string }): string {
  if (to === "100755" && from === "100644") return "made executable";
  if (to === "100644" && from === "100755") return "no longer executable";
  return `mode ${from} to ${to}`;
}
