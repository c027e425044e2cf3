// Files of trees as texts, and first those that differ between two trees: each with its text before and after. Nothing is read before somebody asks, and
// then one file at a time: most questions about a change are answered by its paths.

import type { Oid } from "../core/ids.ts";
import { blobSizes, blobText, readBlobs } from "./blobs.ts";
import { type ChangedPath, changedPath, diffTrees, type RawChange } from "./diff.ts";
import { type RawPath, rawFields, shown, splitEntry } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type ChangedText = ChangedPath & {
  /** It was a file and is a link or a submodule now, or the other way round. */
  readonly isReplaced: boolean;
  /** Null where there is none: no file, a link, a submodule, nothing that is text, or more than is read. */
  readonly before: () => Promise<string | null>;
  readonly after: () => Promise<string | null>;
};

const MIB = 1024 * 1024;
/** Of one text, and of all of a change together: I10. */
const MAX_BYTES = 4 * MIB;
const MAX_BYTES_READ = 64 * MIB;

export async function changedTexts(shadow: Shadow, from: Oid, to: Oid): Promise<ChangedText[]> {
  const changes = await diffTrees(shadow, from, to);
  const read = reader(
    shadow,
    changes.flatMap((change) => [change.from, change.to]),
  );
  return changes.map((change) => {
    const changed = changedPath(change);
    const isReplaced = changed.change === "modified" && isFile(change.from) !== isFile(change.to);
    return { ...changed, isReplaced, before: () => read(change.from), after: () => read(change.to) };
  });
}

/** Of these files of a tree; what is no file, or none that could be read, is left out. */
export async function textsAt(
  shadow: Shadow,
  tree: Oid,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const args = ["ls-tree", "-z", "--full-tree", tree, "--", ...paths.slice(0, MOST_FILES)];
  const entries = rawFields((await callShadow(shadow, { args })).stdout).map((field) => {
    const { words, path } = splitEntry(field);
    const [mode = "", , oid = ""] = words;
    return { path: shown(path), side: { mode, oid } };
  });
  const read = reader(
    shadow,
    entries.map(({ side }) => side),
  );
  const texts = new Map<string, string>();
  for (const { path, side } of entries) {
    const text = await read(side);
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

const MOST_FILES = 100;

/** The paths of a tree: all, or those at and below some. */
export async function listPaths(shadow: Shadow, tree: Oid, only: readonly string[]): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree, "--", ...only];
  return rawFields((await callShadow(shadow, { args })).stdout).map((path) => shown(path as RawPath));
}

type Side = RawChange["from"];

/** In the order of the sides as a rule, so some are read ahead; no more than these are in memory. */
function reader(shadow: Shadow, sides: readonly Side[]): (side: Side) => Promise<string | null> {
  const ask = (call: { args: readonly string[]; stdin: string }) => callShadow(shadow, call);
  const files = [...new Set(sides.filter(isFile).map(({ oid }) => oid))];
  let sizes: Promise<Map<string, number>> | null = null;
  let batch = new Map<string, Buffer>();
  let left = MAX_BYTES_READ;
  return async (side) => {
    if (!isFile(side)) return null;
    sizes ??= blobSizes(ask, files);
    const known = await sizes;
    const size = known.get(side.oid) ?? 0;
    if (size > Math.min(MAX_BYTES, left)) return null;
    left -= size;
    if (!batch.has(side.oid)) batch = await readBlobs(ask, fromHere(files, side.oid, known));
    const content = batch.get(side.oid);
    return content === undefined ? null : blobText(content);
  };
}

const AHEAD = 100;
const AHEAD_BYTES = MIB;

/** The one that is asked for, and small ones behind it. */
function fromHere(files: readonly string[], oid: string, sizes: ReadonlyMap<string, number>): string[] {
  const start = files.indexOf(oid);
  let bytes = 0;
  const next = files.slice(start + 1, start + AHEAD).filter((file) => {
    const size = sizes.get(file) ?? AHEAD_BYTES;
    if (bytes + size > AHEAD_BYTES) return false;
    bytes += size;
    return true;
  });
  return [oid, ...next];
}

/** Links hold the path that they lead to, and what is absent has the mode 0. */
function isFile({ mode }: Side): boolean {
  return mode.startsWith("100");
}
