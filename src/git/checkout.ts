// The files of a slot: brought to exactly one tree, whatever was done to them. The private index is plait's own truth about
// the slot; agents never touch it.

import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { copyIndex, exists, isRealFolder } from "./files.ts";
import { rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import { emptySubmodules } from "./submodules.ts";

export type Checkout = {
  /** The root of the slot's files. */
  readonly path: string;
  /** plait's private index of it. */
  readonly index: string;
  /** The metadata folder whose index the agent's git will use. */
  readonly metadata: string;
};

/** Files, and an index for them. */
export type IndexedTree = Pick<Checkout, "path" | "index">;

/** Fills an empty folder. Nothing can be left in it, so nothing is returned. */
export async function fillFolder(shadow: Shadow, slot: Checkout, tree: Oid): Promise<[]> {
  await mkdir(slot.path, { recursive: true, mode: 0o700 });
  await rm(slot.index, { force: true });
  await checkOut(shadow, slot, tree);
  return [];
}

/** Makes the index that the agent's git uses say a tree, whatever the files are: they are changes to it then. */
export async function indexAt(shadow: Shadow, { path, metadata }: Checkout, tree: Oid): Promise<void> {
  const place = { workTree: path, index: join(metadata, "index") };
  await callShadow(shadow, { args: ["read-tree", tree], ...place });
  await callShadow(shadow, { args: ["update-index", "-q", "--refresh"], ...place, allow: [1] }); // 1: some differ
}

/**
 * Sets a used folder back. `keep` are folders at the root (such as node_modules) whose files may stay.
 * Returns what could not be set back; anything there means that the slot must not be used again.
 */
export async function resetFolder(
  shadow: Shadow,
  slot: Checkout,
  { tree, keep }: { tree: Oid; keep: readonly string[] },
): Promise<string[]> {
  if (!(await isRealFolder(slot.path))) {
    await rm(slot.path, { force: true }); // a link in its place is never followed
    return fillFolder(shadow, slot, tree);
  }
  await emptySubmodules(shadow, slot);
  await disarm(slot.path, new Set(keep), true);
  const place = { workTree: slot.path, index: slot.index };
  const kept = keep.flatMap((name) => ["-e", `/${name}/`]);
  // Clean first, reset after: reset believes tracked files that it sees through a link, and clean then deletes the link.
  if (!(await exists(slot.index))) await callShadow(shadow, { args: ["read-tree", tree], ...place });
  await callShadow(shadow, { args: ["clean", "-ffdxq", ...kept], ...place });
  await checkOut(shadow, slot, tree);
  const unseen = keep.map((name) => `--exclude=/${name}/`);
  const left = await callShadow(shadow, { args: ["ls-files", "-z", "-o", "-m", "-d", ...unseen], ...place });
  return rawFields(left.stdout).map(shown);
}

/** Brings every tracked file to the tree; what git does not know stays. */
export async function checkOut(shadow: Shadow, slot: Checkout, tree: Oid): Promise<void> {
  await rm(`${slot.index}.lock`, { force: true }); // ours alone: only a killed call of ours can have left it
  await callShadow(shadow, {
    args: ["read-tree", "--reset", "-u", tree],
    workTree: slot.path,
    index: slot.index,
  });
  await copyIndex(slot.index, join(slot.metadata, "index"));
}

/**
 * One walk, no link followed: opens folders that were made unreadable, deletes what `git clean` leaves (a `.git` inside a
 * tracked folder, pipes, sockets).
 */
async function disarm(folder: string | Buffer, keep: ReadonlySet<string>, isTop: boolean): Promise<void> {
  const { mode } = await lstat(folder);
  if ((mode & 0o700) !== 0o700) await chmod(folder, mode | 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(folder), Buffer.from("/"), entry.name]);
    const name = entry.name.toString("latin1");
    if (isTop && (name === ".git" || keep.has(name))) continue;
    if (name === ".git" || !(entry.isDirectory() || entry.isFile() || entry.isSymbolicLink())) {
      await rm(path, { recursive: true, force: true });
    } else if (entry.isDirectory()) {
      await disarm(path, keep, false);
    }
  }
}
