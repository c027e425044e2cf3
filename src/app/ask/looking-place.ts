// A place to look around in, or to try something out: a commit, checked out below plait's own folder and gone with the question. Each has
// a lock that dies with its holder, so what a killed plait left is known for it and removed by the next one that asks (I8).

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, parseRunId, type RunId } from "../../core/ids.ts";
import type { Command, Env } from "../../core/plan.ts";
import { otherCommand } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { TEARDOWN_TIMEOUT_MS } from "../../engines/local/make-ready.ts";
import { inheritable } from "../../engines/local/run-context.ts";
import {
  agentGitEnvironment,
  cloneCommit,
  GitError,
  isPartial,
  type Repository,
  removeFolder,
} from "../../git/index.ts";
import { acquireLock, type HeldLock } from "../../journal/lock.ts";
import { uniqueMarker } from "../../process/markers.ts";
import { reapMarked } from "../../process/reap.ts";
import { startReaper } from "../../process/reaper.ts";
import { runCommand } from "../../process/run-command.ts";
import type { Lifeline } from "../../process/supervise.ts";
import { errnoOf, errnoOrThrow } from "../../util/errno.ts";
import { makeFolders } from "../folders.ts";
import { type Host, type OrRefusal, refuse, stateFolder } from "../host.ts";

export type ReadOnlyCheckout = {
  /** In whose name the processes of the question are known. */
  readonly marker: RunId;
  /** Holds the tree and nothing else that agents could be in. */
  readonly folder: string;
  readonly tree: string;
  /** Why it could not be removed, and is still there; null: it is gone. */
  readonly remove: () => Promise<string | null>;
};

export type CheckoutInput = {
  readonly repository: Repository;
  /** Null: the last commit. */
  readonly commit: Oid | null;
  readonly signal: AbortSignal;
  /** For programs that run there and read files in Git LFS. */
  readonly largeFiles?: boolean;
  /** The checkout could not be removed. */
  readonly warning: (text: string) => void;
};

/** Programs started there get the lifeline: they end with plait, however plait ends (I5). */
export type CheckoutWork = { readonly place: ReadOnlyCheckout; readonly lifeline: Lifeline };

/** The checkout is removed afterwards, whatever happened. */
export async function withReadOnlyCheckout<T extends object>(
  host: Host,
  asked: CheckoutInput,
  work: (inside: CheckoutWork) => Promise<OrRefusal<T>>,
): Promise<OrRefusal<T>> {
  const made = await makeReadOnlyCheckout(host, asked);
  if (!made.ok) return made;
  const { place } = made;
  try {
    const reaper = await startReaper({ runMarker: place.marker, worktrees: place.folder, env: host.env });
    // Without it programs could outlive plait: better not to begin.
    if (!reaper.ok)
      return refuse("environment", reaper.message, "end some programs, then run the command again");
    try {
      return await work({ place, lifeline: reaper.reaper });
    } finally {
      await reaper.reaper.close();
    }
  } finally {
    const problem = await place.remove();
    if (problem !== null) asked.warning(`Cannot remove ${place.folder} (${problem}); remove it yourself.`);
  }
}

async function makeReadOnlyCheckout(
  host: Host,
  { repository, commit, signal, largeFiles = false }: CheckoutInput,
): Promise<OrRefusal<{ place: ReadOnlyCheckout }>> {
  const top = join(stateFolder(host), "questions");
  const problem = await makeFolders(top, 0o700).then(() => null, errnoOf);
  if (problem !== null)
    return refuse(
      "environment",
      `cannot create ${top} (${problem})`,
      "choose another folder: XDG_STATE_HOME=/some/folder",
    );
  await sweep(top, host);
  const held = await newFolder(top, host.command);
  const tree = join(held.folder, "tree");
  const remove = () => removeHeld(held.folder, held.lock);
  try {
    await mkdir(tree);
    await cloneCommit(repository, tree, { commit: commit ?? repository.head.at.commit, signal, largeFiles });
  } catch (error) {
    await remove();
    if (!(error instanceof GitError)) throw error;
    if (signal.aborted) return refuseCanceled();
    const said = error.failure.stderr.trim().split("\n").at(-1) ?? "";
    const hint = isPartial(repository)
      ? fix("fetch the missing files", otherCommand("git", "sparse-checkout", "disable"))
      : fix("check the repository for damage", otherCommand("git", "fsck"));
    const what = commit === null ? "the last commit" : `commit ${commit.slice(0, 12)}`;
    return refuse("environment", `cannot check out ${what}: ${said}`, hint);
  }
  // Git may have been faster than the signal that ends it.
  if (signal.aborted) {
    await remove();
    return refuseCanceled();
  }
  return { ok: true, place: { marker: held.marker, folder: held.folder, tree, remove } };
}

const refuseCanceled = () =>
  refuse("environment", "canceled before the agent started", "run the command again");

type Held = { readonly marker: RunId; readonly folder: string; readonly lock: HeldLock };

async function newFolder(top: string, command: string): Promise<Held> {
  for (;;) {
    const marker = newMarker();
    const folder = join(top, marker);
    await mkdir(folder, { mode: 0o700 });
    const taken = await acquireLock(lockOf(folder), { command });
    if (taken.ok) return { marker, folder, lock: taken.lock };
    // Somebody who tidies up was faster, and removes it.
  }
}

export function newMarker(): RunId {
  const parsed = parseRunId(`question-${randomUUID()}`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.id;
}

const lockOf = (folder: string): string => join(folder, "lock");

async function sweep(top: string, host: Host): Promise<void> {
  for (const name of await readdir(top)) {
    const folder = join(top, name);
    const taken = await acquireLock(lockOf(folder), { command: host.command }).catch(() => null); // no folder, or gone by now
    if (taken?.ok !== true) continue; // whose it is still asks
    await reapMarked({ runMarker: name });
    await clearUpLeft(host, folder, name);
    await removeHeld(folder, taken.lock); // what cannot be removed was told by who left it
  }
}

/**
 * The lock goes last: until then nobody else takes the folder for one that was left. An agent may have put something there that
 * cannot be removed; what it answered is not lost for that. Gives the reason.
 */
async function removeHeld(folder: string, lock: HeldLock): Promise<string | null> {
  const problem = await removeFolder(join(folder, "tree")).then(() => null, errnoOrThrow);
  await lock.release();
  if (problem !== null) return problem;
  return removeFolder(folder).then(
    () => null,
    (error: unknown) => (errnoOf(error) === "ENOTEMPTY" ? null : errnoOrThrow(error)), // the lock of one who tidies up, and does the rest
  );
}

type SetUp = {
  readonly teardown: readonly Command[];
  /** What the set-up had beside the user's own environment. */
  readonly env: Env;
};

const noteIn = (folder: string): string => join(folder, "set-up.json");

/**
 * What a setup began outside of its folder (a database, a container) is on the disk before the setup begins, so that it is cleared up
 * also when plait is killed. `folder` is that of the place, around the tree. Gives the function that says that it is cleared up.
 */
export async function noteSetUp(folder: string, setUp: SetUp): Promise<() => Promise<void>> {
  if (setUp.teardown.length === 0) return async () => undefined;
  await writeFile(noteIn(folder), JSON.stringify(setUp), { mode: 0o600, flush: true });
  return () => rm(noteIn(folder), { force: true });
}

/** For a place that its maker left: what is said there is done; a command that fails has its own effects, as ever. */
async function clearUpLeft(host: Host, folder: string, runMarker: string): Promise<void> {
  const setUp = await readNote(folder);
  if (setUp === null) return;
  const started = await startReaper({ runMarker, worktrees: folder, env: host.env });
  if (!started.ok) return; // without it they could outlive plait (I5)
  const env = { ...inheritable(host.env), ...agentGitEnvironment(null), ...setUp.env };
  const tree = join(folder, "tree");
  for (const command of setUp.teardown) {
    const marker = uniqueMarker(runMarker, "teardown");
    const options = { runMarker, marker, worktree: tree, lifeline: started.reaper };
    await runCommand({ command, cwd: tree, env }, { ...options, timeoutMs: TEARDOWN_TIMEOUT_MS });
  }
  await started.reaper.close();
}

/** Null also of one that was being written: then no set-up had begun. */
async function readNote(folder: string): Promise<SetUp | null> {
  try {
    return JSON.parse(await readFile(noteIn(folder), "utf8")) as SetUp; // written above
  } catch {
    return null;
  }
}
