// What an attempt did inside the submodules that plait filled. Its commits go to the checkout's own repository of the submodule,
// below refs/plait/<run>/<task>/<n>/: there they are when the work lands and `git submodule update` asks for them, and when
// another worktree is to have them. Files that were not committed are saved beside them.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, type RefName, refName } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import { treeOfCommit } from "./commit.ts";
import { diffTrees } from "./diff.ts";
import { exists, isRealFolder, readFileOrNull } from "./files.ts";
import { hasOwnRepository, type Lease } from "./lease.ts";
import { type FetchedHistory, fetchHistory, filledSubmodules, saveSubmoduleFiles } from "./nested.ts";
import { below, type RawPath, shown } from "./raw-path.ts";
import { deleteRefs, swapRef } from "./ref-updates.ts";
import { readRef, readRefs, refCall, savedRef } from "./refs.ts";
import { linesOf } from "./run.ts";
import type { SaveWork } from "./save.ts";
import type { Shadow } from "./shadow.ts";
import { findModule, findNestedModule, listGitlinks, moduleRepository } from "./submodules.ts";
import type { LeftBehind } from "./work-tree.ts";

/** What became of one submodule. */
export type SavedSubmodule = {
  readonly path: string;
  readonly from: Oid;
  readonly to: Oid;
  /** Files that it tracks were changed and not committed there. */
  readonly isUncommitted: boolean;
  /** New files that are in no commit of it. */
  readonly hasNewFiles: boolean;
  /** A branch of one of its remotes has the commit. */
  readonly isPublished: boolean;
  /** The repository that has what was saved, and where in it. */
  readonly module: string;
  readonly ref: RefName;
};

export type SavedSubmodules = {
  /** Those that are not as they were. */
  readonly changed: readonly SavedSubmodule[];
  readonly leftBehind: readonly LeftBehind[];
  /** Those that are saved; others belong to no attempt that plait knows. */
  readonly known: ReadonlySet<RawPath>;
};

export type SubmodulePlace = { readonly root: string; readonly index: string; readonly tree: Oid };

async function saveSubmodules(
  shadow: Shadow,
  place: SubmodulePlace,
  work: SaveWork,
): Promise<SavedSubmodules> {
  const find = (path: RawPath) => findModule(shadow, path, place.tree);
  return saveIn({ shadow, find, prefix: "" }, place, work);
}

type Around = {
  readonly shadow: Shadow;
  readonly find: (path: RawPath) => Promise<string | null>;
  /** The path to the repository around them. */
  readonly prefix: string;
};

async function saveIn(around: Around, place: SubmodulePlace, work: SaveWork): Promise<SavedSubmodules> {
  const { shadow, find, prefix } = around;
  const changed: SavedSubmodule[] = [];
  const leftBehind: LeftBehind[] = [];
  const known = new Set<RawPath>();
  for (const { path, commit } of await listFilled(shadow, place)) {
    const module = await find(path);
    if (module === null) continue;
    known.add(path);
    const folder = below(place.root, path).toString();
    const name = `${prefix}${shown(path)}`;
    const index = join(work.scratch, `submodule-${name.replaceAll("/", "~")}.index`);
    const own = { ...shadow, repository: await moduleRepository(shadow.repository, module) };
    const one = await saveOne(own, { folder, name, from: commit, index }, work);
    if (one.changed !== null) changed.push(one.changed);
    leftBehind.push(...one.leftBehind);
    const inner = await saveIn(
      {
        shadow: own,
        find: (nested) => findNestedModule(shadow.repository, module, { path: nested, tree: commit }),
        prefix: `${name}/`,
      },
      { root: folder, index, tree: commit },
      work,
    );
    changed.push(...inner.changed);
    leftBehind.push(...inner.leftBehind);
  }
  return { changed, leftBehind, known };
}

type Filled = { readonly path: RawPath; readonly commit: Oid };

async function listFilled(shadow: Shadow, { root, index }: SubmodulePlace): Promise<Filled[]> {
  const links = (await exists(index)) ? await listGitlinks(shadow, { path: root, index }) : [];
  const filled = await Promise.all(
    links.map(({ path }) => exists(join(below(root, path).toString(), ".git"))),
  );
  return links.filter((_, i) => filled[i]);
}

type ToSave = {
  readonly folder: string;
  readonly name: string;
  readonly from: Oid;
  readonly index: string;
};

type SavedOne = { readonly changed: SavedSubmodule | null; readonly leftBehind: readonly LeftBehind[] };

async function saveOne(shadow: Shadow, one: ToSave, work: SaveWork): Promise<SavedOne> {
  const { repository } = shadow;
  const { folder, name, from, index } = one;
  const ref = savedRef(work.run, work.attempt);
  let head = from;
  if (!(await isUntouched(folder, from))) {
    const history = await fetchHistory(repository, folder, ref);
    if (history.leftBehind.length > 0) return { changed: null, leftBehind: history.leftBehind };
    const refs = await readRefs(repository, ref);
    head = refs.get(`${ref}/HEAD`) ?? from;
    if (refs.size === 1 && head === from) await deleteRefs(repository, [...refs]);
  }
  const { at, maxBytes } = work;
  const { tips, leftBehind } = await saveSubmoduleFiles(shadow, { folder, head, index, at, maxBytes });
  const files = tips[0]?.commit ?? null;
  if (files !== null) await keepFiles(shadow, refName(`${ref}/files`), files);
  const isUncommitted = files !== null && (await changesTracked(shadow, head, files));
  if (head === from && files === null) return { changed: null, leftBehind };
  const isPublished = await isOnRemote(shadow, head);
  const hasNewFiles = files !== null && !isUncommitted;
  const about = { path: name, from, to: head, module: repository.commonDir, ref };
  return { changed: { ...about, isUncommitted, hasNewFiles, isPublished }, leftBehind };
}

/** As plait made it: a git that moves HEAD or makes a ref leaves a log or the ref. */
async function isUntouched(folder: string, commit: Oid): Promise<boolean> {
  const dir = join(folder, ".git");
  const head = (await readFileOrNull(join(dir, "HEAD")))?.toString() ?? "";
  const listing = readdir(join(dir, "refs"), { recursive: true, withFileTypes: true });
  const refs = await listing.catch(ifMissing([]));
  const isMoved = (await exists(join(dir, "logs"))) || (await exists(join(dir, "packed-refs")));
  return head.trim() === commit && !isMoved && !refs.some((entry) => entry.isFile());
}

/** An earlier try may have saved the same, or less. */
async function keepFiles({ repository }: Shadow, ref: RefName, to: Oid): Promise<void> {
  const now = (await readRefs(repository, ref)).get(ref) ?? null;
  if (now !== to) await swapRef(repository, { ref, from: now, to, message: "plait: save" });
}

async function changesTracked(shadow: Shadow, head: Oid, files: Oid): Promise<boolean> {
  const [before, after] = [await treeOfCommit(shadow, head), await treeOfCommit(shadow, files)];
  return (await diffTrees(shadow, before, after)).some(({ status }) => status !== "A");
}

async function isOnRemote({ repository }: Shadow, commit: Oid): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", `--contains=${commit}`, "refs/remotes"];
  return linesOf(await refCall(repository, args)).length > 0;
}

type InnerWork = SaveWork & {
  readonly nested: readonly RawPath[];
  /** Below which names the fetched commits are held. */
  readonly into: string;
};

type InnerRepositories = FetchedHistory & {
  readonly submodules: readonly SavedSubmodule[];
};

/**
 * Every repository inside a worktree at the end of an attempt: nested ones that the scan came across, submodules that
 * were filled, and a `.git` of its own where the worktree's pointer was.
 */
export async function saveInnerRepositories(
  shadow: Shadow,
  lease: Lease,
  work: InnerWork,
): Promise<InnerRepositories> {
  const { slot } = lease;
  const root = slot.path;
  if (!(await isRealFolder(root))) return { tips: [], leftBehind: [], submodules: [] };
  // Where it has a repository of its own by design, that is no other.
  const isOther = !hasOwnRepository(slot) && (await isRealFolder(join(root, ".git")));
  const own = isOther ? [root] : [];
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
  };
}
