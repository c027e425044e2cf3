// Trees whose lock files differ from those of the base commit, because a task added or updated a dependency. The dependency folders of the
// user's checkout do not fit these trees, so the installers of the lock files fill them instead (ADR 0028).

import type { Oid } from "../../../core/ids.ts";
import type { Command, Preparation } from "../../../core/plan.ts";
import { changedPath, diffTrees, type Lease, listChangedFiles } from "../../../git/index.ts";
import type { CopyList } from "../copies.ts";
import type { RunContext } from "../run-context.ts";
import { findLockedFolders, formatInstall } from "./lock-files.ts";

export type ChangedLocks = {
  /** Paths from the root of the tree. */
  readonly locks: readonly string[];
  /** Folders that are installed instead of copied. */
  readonly folders: ReadonlySet<string>;
  readonly installs: readonly Command[];
};

/** Null where all folders are copied. A preparation that names its copies or commands itself is never changed. */
export async function findChangedLocks(
  { shadow, copies, baseTree }: Pick<RunContext, "shadow" | "copies" | "baseTree">,
  { slot }: Lease,
  prepare: Preparation,
): Promise<ChangedLocks | null> {
  if (prepare.automatic !== true) return null;
  const locked = findLockedFolders(slot.path, copies.of(prepare).paths);
  const files = [...new Set(locked.map(({ lock }) => lock))];
  const locks = await listChangedFiles(shadow, slot, { tree: baseTree, files });
  if (locks.length === 0) return null;
  const folders = locked.filter(({ lock }) => locks.includes(lock)).map(({ folder }) => folder);
  const lines = new Set(locks.map((lock) => formatInstall(slot.path, lock)));
  const installs = [...lines].map((line): Command => ({ kind: "shell", line }));
  return { locks, folders: new Set(folders), installs };
}

/**
 * What a landing leaves to the user: dependency folders of the checkout that its lock files no longer describe, one line each. The next run
 * would copy them as they are, and its base would be red.
 */
export async function listOutdatedFolders(
  { shadow, copies }: Pick<RunContext, "shadow" | "copies">,
  prepare: Preparation,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<string[]> {
  const { workTree } = shadow.repository;
  const locked = workTree === null ? [] : findLockedFolders(workTree, copies.of(prepare).paths);
  if (workTree === null || locked.length === 0) return [];
  const changed = new Set((await diffTrees(shadow, from, to)).map((change) => changedPath(change).path));
  const locks = [...new Set(locked.map(({ lock }) => lock))].filter((lock) => changed.has(lock));
  return locks.map((lock) => `${lock} changed; update your checkout: ${formatInstall(workTree, lock)}`);
}

export function leaveOutFolders(list: CopyList, folders: ReadonlySet<string>): CopyList {
  return { ...list, paths: list.paths.filter((path) => !folders.has(path)) };
}
