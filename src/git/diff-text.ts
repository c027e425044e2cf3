// A diff or a history to read, of any two commits or trees, also long after the run. Only as much of it is made as is wanted: a task may
// have changed gigabytes.

import type { Oid } from "../core/ids.ts";
import { blobSizes } from "./blobs.ts";
import { parseRaw } from "./diff.ts";
import { type CutText, createFairCut, type Mask } from "./fair-cut.ts";
import { LARGE_FILE, type PlainGit, withPlainGit } from "./plain.ts";
import { shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { linesOf, textOf } from "./run.ts";

export type DiffOptions = {
  readonly maxBytes: number;
  /** Files and folders, by their names and not as patterns; all when left out. */
  readonly paths?: readonly string[];
  readonly color?: boolean;
  /** The table of files and counts in place of the lines. */
  readonly stat?: boolean;
  /** The names of the files in place of the lines. */
  readonly nameOnly?: boolean;
  /** Takes out what may not be shown, before anything is cut. */
  readonly mask?: Mask;
};

const MIB = 1024 * 1024;
/** Files of one call, by their size and number: the answer is in memory, and an argv has its limits. */
const PART_BYTES = 48 * MIB;
const PART_PATHS = 400;
/** Behind this much nothing more is made, unless more is wanted. */
const MADE_BYTES = 16 * MIB;

export function diffText(
  repository: Repository,
  { from, to }: { readonly from: Oid; readonly to: Oid },
  { maxBytes, paths = [], color = false, stat = false, nameOnly = false, mask }: DiffOptions,
): Promise<CutText> {
  return withPlainGit(repository, async (git) => {
    const safe = ["-r", "-M", "--no-ext-diff", "--no-textconv", `--color=${color ? "always" : "never"}`];
    const diff = async (shape: string, only: readonly string[]) => {
      const args = ["diff-tree", ...safe, shape, from, to, "--", ...only];
      return (await git({ args, config: [LARGE_FILE] })).stdout;
    };
    if (stat || nameOnly) {
      const table = await diff(nameOnly ? "--name-only" : "--stat", paths);
      return cut(mask === undefined ? table : Buffer.from(mask(table.toString("utf8"))), maxBytes);
    }
    const parts = await inParts(git, { from, to, paths });
    const shares = createFairCut(maxBytes, mask ?? null);
    const unmade = { files: 0, bytes: 0 };
    let made = 0;
    for (const part of parts) {
      if (shares.isFull() || made > Math.max(maxBytes, MADE_BYTES)) {
        unmade.files += part.paths.length;
        unmade.bytes += part.bytes;
        continue;
      }
      // Where one call has them all, git sees what was renamed.
      const text = await diff("-p", parts.length === 1 ? paths : part.paths);
      shares.add(text);
      made += text.length;
    }
    return shares.take(unmade);
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
function cut(bytes: Buffer, maxBytes: number): CutText {
  if (bytes.length <= maxBytes) return { text: bytes.toString("utf8"), cutBytes: 0 };
  const end = bytes.lastIndexOf("\n", Math.max(0, maxBytes - 1)) + 1;
  return { text: bytes.toString("utf8", 0, end), cutBytes: bytes.length - end };
}

/** The commits of `to` that `from` has not. */
type Range = { readonly from: Oid; readonly to: Oid };

export function countCommits(repository: Repository, { from, to }: Range): Promise<number> {
  return withPlainGit(repository, async (git) =>
    Number(textOf(await git({ args: ["rev-list", "--count", `${from}..${to}`] }))),
  );
}

/** The newest commits, one line each: `8d1c3f0 Add search`. */
export function listCommits(repository: Repository, { from, to }: Range, most: number): Promise<string[]> {
  return withPlainGit(repository, async (git) =>
    linesOf(await git({ args: ["log", "--format=%h %s", "-n", String(most), `${from}..${to}`] })),
  );
}

/** One line a commit, newest first, with the lines that join them. */
export function logGraph(
  repository: Repository,
  { from, to }: Range,
  { maxBytes = 64 * 1024, color = false } = {},
): Promise<CutText> {
  const shape = ["--graph", "--oneline", `--color=${color ? "always" : "never"}`];
  return withPlainGit(repository, async (git) =>
    cut((await git({ args: ["log", ...shape, "-n", "10000", `${from}..${to}`] })).stdout, maxBytes),
  );
}
