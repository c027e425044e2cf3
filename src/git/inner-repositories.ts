// Every repository inside a worktree at the end of an attempt: nested ones that the scan came across, submodules that were
// filled, and a `.git` of its own where the worktree's pointer was.

import { join } from "node:path";
import { isRealFolder } from "./files.ts";
import type { Lease } from "./lease.ts";
import { type FetchedHistory, fetchHistory, filledSubmodules, saveSubmoduleFiles } from "./nested.ts";
import { type RawPath, shown } from "./raw-path.ts";
import { readRef } from "./refs.ts";
import { exists } from "./repository-facts.ts";
import type { SaveWork } from "./save.ts";
import { type SavedSubmodule, saveSubmodules } from "./save-submodules.ts";
import type { Shadow } from "./shadow.ts";

export type InnerWork = SaveWork & {
  readonly nested: readonly RawPath[];
  /** Below which names the fetched commits are held. */
  readonly into: string;
};

export type InnerRepositories = FetchedHistory & {
  readonly notes: readonly string[];
  readonly submodules: readonly SavedSubmodule[];
};

export async function saveInnerRepositories(
  shadow: Shadow,
  lease: Lease,
  work: InnerWork,
): Promise<InnerRepositories> {
  const { slot } = lease;
  const root = slot.path;
  if (!(await isRealFolder(root))) return { tips: [], leftBehind: [], notes: [], submodules: [] };
  const own = (await isRealFolder(join(root, ".git"))) ? [root] : [];
  const nested = work.nested.map((path) => join(root, shown(path)));
  const filled = (await exists(slot.index)) ? await filledSubmodules(shadow, root, slot.index) : [];
  const place = { root, index: slot.index, tree: lease.base.tree };
  const ours = filled.length === 0 ? null : await saveSubmodules(shadow, place, work);
  const submodules = filled.filter((path) => ours?.known.has(path) !== true);
  const folders = [...own, ...nested, ...submodules.map((path) => join(root, shown(path)))];
  const found: FetchedHistory[] = [];
  for (const [i, folder] of folders.entries()) {
    const into = `${work.into}/${i}`;
    const history = await fetchHistory(shadow.repository, folder, into);
    found.push(history);
    if (i < own.length + nested.length) continue;
    const head = await readRef(shadow.repository, `${into}/HEAD`);
    const index = join(work.scratch, `submodule-${i}.index`);
    const { at, maxBytes } = work;
    if (head !== null) found.push(await saveSubmoduleFiles(shadow, { folder, head, index, at, maxBytes }));
  }
  return {
    tips: found.flatMap(({ tips }) => tips),
    leftBehind: [...found.flatMap(({ leftBehind }) => leftBehind), ...(ours?.leftBehind ?? [])],
    submodules: ours?.changed ?? [],
    notes: own.map(() => "the worktree's .git was replaced by another repository"),
  };
}
