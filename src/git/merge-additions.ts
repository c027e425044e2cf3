// Files that several tasks add to: where both sides of a conflict only add lines at the same place, both are kept, ours first. A
// hunk in which one side changed or removed a line is a conflict like any other.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { readBlobs } from "./blobs.ts";
import type { ConflictStages } from "./merge.ts";
import type { RawPath } from "./raw-path.ts";
import { type NewFile, replaceFiles, withScratch } from "./replace-files.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type AdditionsInput = {
  readonly runDir: string;
  /** As `merge-tree` left it, with the conflicts marked. */
  readonly tree: Oid;
  readonly conflicts: readonly { readonly path: RawPath; readonly stages: ConflictStages }[];
};

const MOST_BYTES = 4 * 1024 * 1024;

/** The tree with both additions in each of the files; null where one of them has another kind of conflict. */
export function keepBothAdditions(
  shadow: Shadow,
  { runDir, tree, conflicts }: AdditionsInput,
): Promise<Oid | null> {
  return withScratch(runDir, async (scratch) => {
    const files: NewFile[] = [];
    for (const { path, stages } of conflicts) {
      const merged = await mergeFile(shadow, scratch, stages);
      if (merged === null) return null;
      files.push({ path, ...merged });
    }
    return replaceFiles(shadow, { tree, files, runDir });
  });
}

type MergedFile = Omit<NewFile, "path">;

async function mergeFile(
  shadow: Shadow,
  scratch: string,
  { base, ours, theirs }: ConflictStages,
): Promise<MergedFile | null> {
  if (base === null || ours === null || theirs === null) return null; // made or removed by one side
  const { mode } = ours;
  if (!mode.startsWith("100") || theirs.mode !== mode || base.mode !== mode) return null;
  const names = [ours.oid, base.oid, theirs.oid];
  const blobs = await readBlobs((call) => callShadow(shadow, call), names);
  const contents = names.map((name) => blobs.get(name));
  if (contents.some((bytes) => bytes === undefined || bytes.length > MOST_BYTES || bytes.includes(0)))
    return null;
  const files = ["ours", "base", "theirs"].map((name) => join(scratch, name));
  for (const [n, file] of files.entries()) await writeFile(file, contents[n] as Buffer);
  const args = ["merge-file", "-p", "-q", "--diff3", `--marker-size=${MARKER_SIZE}`, ...files];
  const { stdout } = await callShadow(shadow, { args, allow: CONFLICT_COUNTS });
  const bytes = joinAdditions(stdout);
  return bytes === null ? null : { bytes, mode };
}

/** Longer than any line of signs that people write. */
const MARKER_SIZE = 73;
/** `merge-file` ends with the number of conflicts. */
const CONFLICT_COUNTS = Array.from({ length: 127 }, (_, n) => n + 1);

/** The text of `merge-file --diff3` without its markers; null where a conflict is about lines that were there before. */
export function joinAdditions(marked: Buffer): Buffer | null {
  const kept: string[] = [];
  let part: "none" | "ours" | "base" | "theirs" = "none";
  for (const line of marked.toString("latin1").split(/(?<=\n)/)) {
    const next = readMarker(line);
    if (next !== null) part = next;
    else if (part === "base") return null;
    else kept.push(line);
  }
  return part === "none" ? Buffer.from(kept.join(""), "latin1") : null;
}

const PARTS = { "<": "ours", "|": "base", "=": "theirs", ">": "none" } as const;

/** The part that a marker begins; null where the line is text. */
function readMarker(line: string): (typeof PARTS)[keyof typeof PARTS] | null {
  const sign = line.charAt(0);
  if (!(sign in PARTS) || !line.startsWith(sign.repeat(MARKER_SIZE))) return null;
  const after = line.charAt(MARKER_SIZE);
  return after === sign ? null : PARTS[sign as keyof typeof PARTS];
}
