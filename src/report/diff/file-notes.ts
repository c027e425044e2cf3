import type { DiffFile } from "./parse-diff.ts";

/** What is to be said of a changed file besides its lines: `new`, `renamed from old.ts`, `made executable`. Names are as they are. */
export function fileNotes({ status, from, mode, isBinary, hunks }: DiffFile): string[] {
  const notes: string[] = [];
  if (from !== null) notes.push(`${status === "copied" ? "copied" : "renamed"} from ${from}`);
  if (status === "added") notes.push("new");
  if (status === "deleted") notes.push("deleted");
  if (mode !== null) notes.push(modeText(mode));
  if (isBinary) notes.push("binary");
  const first = hunks[0]?.lines[0]?.text ?? "";
  if (/^Subproject commit [0-9a-f]+$/.test(first)) notes.push("submodule");
  return notes;
}

function modeText({ from, to }: { readonly from: string; readonly to: string }): string {
  if (to === "100755" && from === "100644") return "made executable";
  if (to === "100644" && from === "100755") return "no longer executable";
  return `mode ${from} to ${to}`;
}
