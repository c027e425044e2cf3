// A repository of an attempt's own (`isolation: private`): `.git` is a folder in its worktree that borrows the objects of the user's and
// shares nothing else with it. Config, hooks, branches, stash, replaced commits and gc of the attempt stay there; what it commits
// comes back by quarantine.ts. It is written as files: what an agent left there is never a git dir of ours, and no link in it is followed.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Oid, RefName } from "../core/ids.ts";
import { exists, isRealFolder, readPlainFile, removeFolder, replaceFile } from "./files.ts";
import { OWN_CONFIG } from "./frozen-config.ts";
import type { RefTable } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/** Where HEAD of a slot stands: on a branch, or on a commit. */
export type OwnHead = { readonly branch: RefName; readonly at: Oid } | { readonly commit: Oid };

export type OwnRepository = {
  readonly gitDir: string;
  readonly head: OwnHead;
  /** Of the user's repository: what of them is known there. */
  readonly refs: RefTable;
  /** Tells ours from others. */
  readonly reason: string;
};

/** Makes it, in place of whatever is there. */
export async function makeOwnRepository(shadow: Shadow, own: OwnRepository): Promise<void> {
  const { repository, frozen } = shadow;
  const { gitDir, head, refs, reason } = own;
  await removeFolder(gitDir);
  for (const folder of ["objects/info", "refs", "info"]) {
    await mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 });
  }
  const files: [name: string, text: string | Buffer][] = [
    ["objects/info/alternates", `${borrowedObjects(repository)}\n`],
    ["config", frozen.texts.get(OWN_CONFIG) ?? ""],
    ["packed-refs", packRefs(refs, head)],
    ["locked", reason],
    ["HEAD", formatHead(head)],
  ];
  const { isShallow, commonDir } = repository;
  const shallow = isShallow ? await readPlainFile(join(commonDir, "shallow")) : null;
  if (shallow !== null) files.push(["shallow", shallow]);
  for (const name of ["info/exclude", "info/attributes"]) {
    const text = frozen.texts.get(name);
    if (text !== undefined) files.push([name, text]);
  }
  await Promise.all(files.map(([name, text]) => writeFile(join(gitDir, name), text, { mode: 0o600 })));
}

/** The folder of objects that repositories of attempts borrow from. */
export const borrowedObjects = ({ commonDir }: Pick<Repository, "commonDir">): string =>
  join(commonDir, "objects");

/** Whether there is something to go on in: else it is made anew. */
export async function isOwnRepository(gitDir: string): Promise<boolean> {
  const parts = [gitDir, join(gitDir, "objects"), join(gitDir, "refs")].map(isRealFolder);
  const isThere = (await Promise.all(parts)).every((is) => is);
  return isThere && (await readPlainFile(join(gitDir, "HEAD"))) !== null;
}

/** Another attempt goes on in it: on a branch of its own, and with everything that plait puts there as it was. */
export async function continueOwnRepository(
  { repository }: Shadow,
  { gitDir, branch, at, reason }: { gitDir: string; branch: RefName; at: Oid; reason: string },
): Promise<void> {
  // Of a git that was killed with its agent.
  for (const name of ["index.lock", "HEAD.lock"]) await removeFolder(join(gitDir, name));
  await replaceWithin(gitDir, "objects/info/alternates", `${borrowedObjects(repository)}\n`);
  await replaceWithin(gitDir, "locked", reason);
  await replaceWithin(gitDir, branch, `${at}\n`);
  // While git has HEAD detached for one of these it knows the way back by itself.
  const detaching = ["rebase-merge", "rebase-apply", "BISECT_START"].map((name) =>
    exists(join(gitDir, name)),
  );
  if (!(await Promise.all(detaching)).includes(true)) await replaceWithin(gitDir, "HEAD", `ref: ${branch}\n`);
}

/** What an agent put in the place of a folder above it goes. */
async function replaceWithin(gitDir: string, name: string, text: string): Promise<void> {
  const above = dirname(name).split("/");
  for (const [i] of above.entries()) {
    const folder = join(gitDir, ...above.slice(0, i + 1));
    if (await isRealFolder(folder)) continue;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
  }
  const path = join(gitDir, name);
  if (await isRealFolder(path)) await removeFolder(path);
  await replaceFile(path, text);
}

const formatHead = (head: OwnHead): string =>
  "branch" in head ? `ref: ${head.branch}\n` : `${head.commit}\n`;

/** Branches, tags and what is known of remotes, without those of plait. git sorts a list that does not say that it is. */
function packRefs(refs: RefTable, head: OwnHead): string {
  const known = [...refs].filter(([ref]) => /^refs\/(?:heads\/(?!plait\/)|tags\/|remotes\/)/.test(ref));
  const own: [string, Oid][] = "branch" in head ? [[head.branch, head.at]] : [];
  return [...known, ...own].map(([ref, at]) => `${at} ${ref}\n`).join("");
}
