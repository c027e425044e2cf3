// `$C/worktrees/<id>`: what makes a folder a worktree of the repository. Written by hand and moved into its place in one
// step, out of it in one step: no other git ever sees a half of it, in this process or in another. (`git worktree add`
// shows its halves: beside another one it fails with "failed to read commondir", and killed it leaves a lock behind that
// no prune removes.) Where refs are not files, HEAD cannot be written by hand and git has to do it.

import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import { createMutex, type Mutex } from "../util/mutex.ts";
import { indexAt } from "./checkout.ts";
import { isGitFailure } from "./failure.ts";
import { exists, isRealFolder, moveAway, readFileOrNull, removeFolder, replaceFile } from "./files.ts";
import type { Lease } from "./lease.ts";
import { createBranch, deleteRefs } from "./ref-updates.ts";
import { readRefs, refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { textOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";
import { findHead } from "./tips.ts";

/** Where HEAD of a slot stands: on a branch, or on a commit. */
export type SlotHead = { readonly branch: RefName } | { readonly commit: Oid };

export type MetadataPlace = { readonly id: string; readonly path: string; readonly run: RunId };

/** The reason that every worktree of a run is locked with: keeps gc and prune away, and tells ours from others. */
export function lockReason(run: RunId): string {
  return `plait ${run}`;
}

export function metadataFolder({ commonDir }: Repository, id: string): string {
  return join(commonDir, "worktrees", id);
}

/** Makes the folder `path` a worktree whose HEAD is at `head`, or sets it back to that if it is one. */
export async function writeMetadata(
  repository: Repository,
  place: MetadataPlace,
  head: SlotHead,
  scratch: string,
): Promise<void> {
  const folder = metadataFolder(repository, place.id);
  if (!(await exists(folder))) await createMetadata(repository, place, head, scratch);
  else await resetMetadata(repository, place, head);
  await writePointer(repository, place);
}

/** Makes a folder that has been worked in a worktree again where it is none any more, and leaves all else as it is. */
async function repairWorktreeMetadata(
  repository: Repository,
  place: MetadataPlace,
  head: SlotHead,
  scratch: string,
): Promise<void> {
  const folder = metadataFolder(repository, place.id);
  if (!(await exists(folder))) await createMetadata(repository, place, head, scratch);
  await writePlace(place, folder);
  // Of a git that was killed with its agent.
  for (const name of ["index.lock", "HEAD.lock"]) await removeFolder(join(folder, name));
  // A repository of the agent's own in its place holds history: that stays, and the next save brings it in.
  if (!(await isRealFolder(join(place.path, ".git")))) await writePointer(repository, place);
}

/**
 * Puts HEAD of a worktree on another branch at the same commit. While git has it detached for a rebase or a bisect it
 * stays so: git knows the way back by itself.
 */
async function switchHead(repository: Repository, id: string, branch: RefName): Promise<void> {
  const folder = metadataFolder(repository, id);
  const detaching = ["rebase-merge", "rebase-apply", "BISECT_START"].map((name) =>
    exists(join(folder, name)),
  );
  if (!(await Promise.all(detaching)).includes(true)) await setHead(repository, folder, { branch });
}

/** Puts HEAD of a worktree on the commit of the branch that it is on, where it is on that one and the commit is there. */
export async function detachHead(repository: Repository, id: string, branch: RefName): Promise<void> {
  const folder = metadataFolder(repository, id);
  const { git, commonDir } = repository;
  const call = { args: ["symbolic-ref", "-q", "HEAD"], cwd: commonDir, env: { GIT_DIR: folder }, allow: [1] };
  const head = await git(call).catch((error: unknown) => {
    if (isGitFailure(error, "not-a-repository")) return null; // an agent removed it
    throw error;
  });
  if (head === null || textOf(head) !== branch) return;
  const commit = (await readRefs(repository, branch)).get(branch);
  if (commit !== undefined) await setHead(repository, folder, { commit });
}

/** What makes the folder find its metadata; whatever else is there is replaced. */
async function writePointer(repository: Repository, { id, path }: MetadataPlace): Promise<void> {
  const pointer = join(path, ".git");
  const text = `gitdir: ${metadataFolder(repository, id)}\n`;
  if ((await readFile(pointer, "utf8").catch(() => "")) === text) return;
  await rm(pointer, { recursive: true, force: true });
  await replaceFile(pointer, text);
}

async function createMetadata(
  repository: Repository,
  place: MetadataPlace,
  head: SlotHead,
  scratch: string,
): Promise<void> {
  const folder = metadataFolder(repository, place.id);
  if (repository.refStorage !== "files") return createByGit(repository, place, head);
  const fresh = join(scratch, `${place.id}.metadata`);
  await removeFolder(fresh);
  await mkdir(join(fresh, "refs"), { recursive: true });
  await writeFile(join(fresh, "commondir"), "../..\n");
  await writeFile(join(fresh, "gitdir"), `${place.path}/.git\n`);
  await writeFile(join(fresh, "locked"), lockReason(place.run));
  await writeFile(join(fresh, "HEAD"), headText(head));
  await metadataMutex(repository.commonDir)(async () => {
    await mkdir(dirname(folder), { recursive: true });
    await rename(fresh, folder);
  });
}

/** What a slot keeps of its metadata; all else is the last attempt's. */
const KEPT = new Set(["commondir", "gitdir", "locked", "HEAD", "refs", "reftable"]);

async function resetMetadata(repository: Repository, place: MetadataPlace, head: SlotHead): Promise<void> {
  const folder = metadataFolder(repository, place.id);
  for (const name of await readdir(folder)) {
    if (!KEPT.has(name)) await removeFolder(join(folder, name));
  }
  await writePlace(place, folder);
  if (repository.refStorage === "files") {
    await removeFolder(join(folder, "refs"));
    await mkdir(join(folder, "refs"));
  }
  await setHead(repository, folder, head);
}

async function writePlace({ path, run }: MetadataPlace, folder: string): Promise<void> {
  await replaceFile(join(folder, "commondir"), "../..\n");
  await replaceFile(join(folder, "gitdir"), `${path}/.git\n`);
  await replaceFile(join(folder, "locked"), lockReason(run));
}

async function setHead(repository: Repository, folder: string, head: SlotHead): Promise<void> {
  if (repository.refStorage !== "files") return setHeadByGit(repository, folder, head);
  await removeFolder(join(folder, "HEAD.new"));
  await replaceFile(join(folder, "HEAD"), headText(head));
}

/** A worktree that is moved says so in its metadata; git finds it at its new place at once. */
export async function movedMetadata(repository: Repository, { id, path }: MetadataPlace): Promise<void> {
  const folder = metadataFolder(repository, id);
  if (await exists(folder)) await replaceFile(join(folder, "gitdir"), `${path}/.git\n`);
}

/** Where a worktree lies by git's books; null when they have none. */
export async function recordedPath(repository: Repository, id: string): Promise<string | null> {
  const text = await readFileOrNull(join(metadataFolder(repository, id), "gitdir"));
  return text === null ? null : dirname(text.toString().trim());
}

/** Takes the worktree out of git's books. */
export async function removeMetadata(repository: Repository, id: string, scratch: string): Promise<void> {
  const trash = join(scratch, `${id}.removed`);
  await removeFolder(trash);
  await metadataMutex(repository.commonDir)(async () => {
    await moveAway(metadataFolder(repository, id), trash);
    // As git does with the last one. Not empty: there are others.
    await rmdir(join(repository.commonDir, "worktrees")).catch(() => undefined);
  });
  await removeFolder(trash);
}

/** The worktrees that a run has in git's books. */
export async function listMetadata(repository: Repository, run: RunId): Promise<string[]> {
  const folder = join(repository.commonDir, "worktrees");
  const names = await readdir(folder).catch(ifMissing([]));
  const ours = names.map(async (id) => {
    const reason = await readFile(join(folder, id, "locked"), "utf8").catch(() => ""); // not locked: not ours
    return reason.trim() === lockReason(run) ? [id] : [];
  });
  return (await Promise.all(ours)).flat().sort();
}

function headText(head: SlotHead): string {
  return "branch" in head ? `ref: ${head.branch}\n` : `${head.commit}\n`;
}

async function createByGit(repository: Repository, place: MetadataPlace, head: SlotHead): Promise<void> {
  const lock = ["--lock", "--reason", lockReason(place.run)];
  const named = join(dirname(place.path), place.id); // git takes the id from the last part of the path
  const start = "branch" in head ? head.branch : head.commit;
  const args = ["worktree", "add", "--detach", "--no-checkout", ...lock, named, start];
  await metadataMutex(repository.commonDir)(() => refCall(repository, args));
  await removeFolder(named);
  await movedMetadata(repository, place);
  const folder = metadataFolder(repository, basename(place.id));
  for (const name of ["config.worktree", "info"]) await removeFolder(join(folder, name)); // the user's sparse rules
  await setHeadByGit(repository, folder, head);
}

async function setHeadByGit({ git, commonDir }: Repository, folder: string, head: SlotHead): Promise<void> {
  const args =
    "branch" in head
      ? ["symbolic-ref", "HEAD", head.branch]
      : ["update-ref", "--no-deref", "HEAD", head.commit];
  await git({ args, cwd: commonDir, env: { GIT_DIR: folder } });
}

type Onward = { readonly branch: RefName; readonly run: RunId; readonly scratch: string };

/**
 * A fix round: the next attempt of a task continues where the last one stopped, in the same worktree. Only the branch
 * below HEAD changes, so that each attempt's commits are on a branch of its own. HEAD comes last: until then a failure
 * leaves the worktree to the attempt that it was of.
 */
export async function continueInWorktree(
  shadow: Shadow,
  lease: Lease,
  { branch, run, scratch }: Onward,
): Promise<void> {
  const { repository } = shadow;
  const { slot } = lease;
  const head = await findHead(shadow, lease);
  await createBranch(repository, branch, head);
  try {
    await repairWorktreeMetadata(repository, { ...slot, run }, { branch }, scratch);
    // Without an index git takes every file for deleted.
    if (!(await exists(join(slot.metadata, "index")))) await indexAt(shadow, slot, head);
    await switchHead(repository, slot.id, branch);
  } catch (error) {
    if (lease.branch !== branch) await deleteRefs(repository, [[branch, head]]); // nobody has worked there
    throw error;
  }
}

/** By common dir, so that several runs of one repository in one process share it. */
const byRepository = new Map<string, Mutex>();

/** git 2.39 fails about one time in ten when worktrees are made or removed beside each other. */
function metadataMutex(commonDir: string): Mutex {
  const known = byRepository.get(commonDir) ?? createMutex();
  byRepository.set(commonDir, known);
  return known;
}
