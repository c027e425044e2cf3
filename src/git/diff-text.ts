// A diff to read, of any two commits or trees, also long after the run. Only as much of it is made as is wanted: a task may
// have changed gigabytes.

import type { Oid } from "../core/ids.ts";
import { blobSizes } from "./blobs.ts";
import { parseRaw } from "./diff.ts";
import { type PlainGit, withPlainGit } from "./plain.ts";
import { shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

export type DiffOptions = {
  readonly maxBytes: number;
  /** Files and folders, by their names and not as patterns; all when left out. */
  readonly paths?: readonly string[];
  readonly color?: boolean;
  /** The table of files and counts in place of the lines. */
  readonly stat?: boolean;
};

export type CutText = {
  readonly text: string;
  /** How much was left out; what was not even made counts with the size of its files. */
  readonly cutBytes: number;
};

const MIB = 1024 * 1024;
/** Files of one call, by their size and number: the answer is in memory, and an argv has its limits. */
const PART_BYTES = 48 * MIB;
const PART_PATHS = 400;
/** A larger file "differs", as a binary one does. */
const LARGE_FILE = "core.bigFileThreshold=16m";

export function diffText(
  repository: Repository,
  { from, to }: { readonly from: Oid; readonly to: Oid },
  { maxBytes, paths = [], color = false, stat = false }: DiffOptions,
): Promise<CutText> {
  return withPlainGit(repository, async (git) => {
    const safe = ["-r", "-M", "--no-ext-diff", "--no-textconv", `--color=${color ? "always" : "never"}`];
    const diff = async (shape: string, only: readonly string[]) => {
      const args = ["diff-tree", ...safe, shape, from, to, "--", ...only];
      return (await git({ args, config: [LARGE_FILE] })).stdout;
    };
    if (stat) return cut(await diff("--stat", paths), maxBytes);
    const parts = await inParts(git, { from, to, paths });
    if (parts.length <= 1) return cut(await diff("-p", paths), maxBytes);
    const texts: Buffer[] = [];
    let [made, unmade] = [0, 0];
    for (const part of parts) {
      if (made > maxBytes) {
        unmade += part.bytes;
        continue;
      }
      const text = await diff("-p", part.paths);
      texts.push(text);
      made += text.length;
    }
    const { text, cutBytes } = cut(Buffer.concat(texts), maxBytes);
    return { text, cutBytes: cutBytes + unmade };
  });
}

/** The changed files in their order, as many together as one call may have. */
async function inParts(
  git: PlainGit,
  { from, to, paths }: { from: Oid; to: Oid; paths: readonly string[] },
): Promise<{ paths: string[]; bytes: number }[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to, "--", ...paths];
  const changes = parseRaw((await git({ args })).stdout);
  const sizes = await blobSizes(git, [...new Set(changes.flatMap((it) => [it.from.oid, it.to.oid]))]);
  const parts: { paths: string[]; bytes: number }[] = [];
  for (const change of changes) {
    const bytes = (sizes.get(change.from.oid) ?? 0) + (sizes.get(change.to.oid) ?? 0);
    const last = parts.at(-1);
    if (last === undefined || last.bytes + bytes > PART_BYTES || last.paths.length >= PART_PATHS)
      parts.push({ paths: [shown(change.path)], bytes });
    else {
      last.paths.push(shown(change.path));
      last.bytes += bytes;
    }
  }
  return parts;
}

/** At the end of a line, so that neither a character nor a colour is cut in two. */
export function cut(bytes: Buffer, maxBytes: number): CutText {
  if (bytes.length <= maxBytes) return { text: bytes.toString("utf8"), cutBytes: 0 };
  const end = bytes.lastIndexOf("\n", Math.max(0, maxBytes - 1)) + 1;
  return { text: bytes.toString("utf8", 0, end), cutBytes: bytes.length - end };
}
