// A landing that was cut off: finished if nothing of the user's came in between, undone otherwise.
//
// After kill -9 at any moment every path of the landing is one of: as before, as after, torn (missing, or the beginning of
// the new content: git writes one file at a time, so at most one), or the user's: changed, or deleted (land-fates.ts tells
// them apart). The index is the one before or the one after. The lock has kept the user's own git out, unless the user
// removed it.

import { rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunId } from "../core/ids.ts";
import { diffTrees, type RawChange } from "./diff.ts";
import { holderOf, isOurs, lockIndex, unlockIndex } from "./index-lock.ts";
import { type Fates, isIndexAfter, readFates, withFate } from "./land-fates.ts";
import {
  type BegunLanding,
  callTemporary,
  enterFiles,
  finish,
  forgetRecord,
  hasBegun,
  type LandRecord,
  openTemporaryIndex,
  publish,
  readRecord,
  refreshIndex,
  switchFiles,
  temporaryIndex,
  writeRecord,
} from "./land-record.ts";
import type { Landed } from "./landing.ts";
import { below, foldersAbove, type RawPath, rawInput, shown } from "./raw-path.ts";
import { noOid, readRef } from "./refs.ts";
import { textOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

export type Repaired =
  /** No landing was under way. */
  | { readonly kind: "nothing" }
  | Landed
  /** Everything is as before, but for these files of the user's, which stayed as they are. */
  | { readonly kind: "undone"; readonly files: readonly string[] }
  /** The user went on: nothing was touched. */
  | { readonly kind: "left"; readonly detail: string };

const WAIT_MS = 10_000;

/** For the start of a driver that holds the run's lock: no other landing of the run can be alive. */
export async function repairLanding(
  shadow: Shadow,
  { run, runDir }: { run: RunId; runDir: string },
): Promise<Repaired> {
  const record = await readRecord(runDir);
  if (record === null) return { kind: "nothing" };
  const path = join(record.worktree.gitDir, "index.lock");
  const wasOurs = await isOurs(path, run);
  await waitForGit(record);
  if (!wasOurs) {
    const lock = await lockIndex(record.worktree.gitDir, run, WAIT_MS);
    if (lock.kind === "busy") return { kind: "left", detail: lock.detail };
  }
  const repairing = repairLocked(shadow, { ...record, runDir }, wasOurs);
  const repaired = await repairing.catch((error: unknown) => Promise.reject(nameUnfinished(error, record)));
  await unlockIndex(path);
  await forgetRecord(runDir, record);
  return repaired;
}

async function repairLocked(
  shadow: Shadow,
  { runDir, ...record }: LandRecord & { readonly runDir: string },
  wasOurs: boolean,
): Promise<Repaired> {
  const { repository } = shadow;
  const { from, to, target, worktree } = record;
  const changes = await diffTrees(shadow, from, to.commit);
  const landed = async (): Promise<Repaired> => ({
    kind: "landed",
    from,
    to,
    notes: await finish(shadow, record, changes),
  });
  const tip = await readRef(repository, target);
  const call = { cwd: worktree.path, env: { GIT_DIR: worktree.gitDir } };
  const head = textOf(await repository.git({ args: ["symbolic-ref", "-q", "HEAD"], ...call, allow: [1] }));
  if (tip === to.commit) return landed(); // the index comes before the ref: all was done but the lock
  if (!wasOurs && (tip !== from || head !== target)) {
    const detail = `${worktree.path} or ${target} changed after the landing was interrupted.`;
    return { kind: "left", detail };
  }
  if (!hasBegun(record)) return { kind: "undone", files: [] };
  const fates = await readFates(shadow, record, changes);
  if (withFate(fates, "users").length === 0 && tip === from && head === target) {
    await rollForward(shadow, record, fates).catch(async (error: unknown) => {
      await writeRecord(runDir, { ...record, torn: "any" }); // git gave up by itself: for the next try
      throw error;
    });
    if (await publish(repository, record)) return landed();
  }
  return { kind: "undone", files: await rollBack(shadow, record, runDir) };
}

/** The lock and whatever was written stay for the next repair: the failure names them (I8). */
export function nameUnfinished(error: unknown, record: LandRecord): unknown {
  if (!(error instanceof Error) || !hasBegun(record)) return error;
  const { path, gitDir } = record.worktree;
  error.message += `; the landing is unfinished: ${path} may show the run's files as changes, and ${join(gitDir, "index.lock")} stays until a resume finishes it`;
  return error;
}

/** A git of the dead driver may still be writing: its own lock says so, as far as it can be seen. */
async function waitForGit(record: LandRecord): Promise<void> {
  const lock = `${temporaryIndex(record)}.lock`;
  for (let waited = 0; waited < WAIT_MS && (await holderOf(lock)) !== null; waited += 50) await pause(50);
}

async function rollForward(shadow: Shadow, record: LandRecord, fates: Fates): Promise<void> {
  const { repository } = shadow;
  // A torn file is nobody's: what it was to be is written anew.
  for (const path of withFate(fates, "torn")) await rm(below(record.worktree.path, path), { force: true });
  await openTemporaryIndex(repository, record);
  await enterFiles(repository, record, withFate(fates, "after", "adopted"));
  await switchFiles(repository, record);
}

/**
 * Brings everything but the user's own files back to where the landing began, path by path. Returns those files.
 * (`read-tree -m -u` the other way round would refuse over, or delete, a file that was the user's before it was ours.)
 */
export async function rollBack(shadow: Shadow, record: BegunLanding, runDir: string): Promise<string[]> {
  const { repository } = shadow;
  const changes = await diffTrees(shadow, record.from, record.to.commit);
  const fates = await readFates(shadow, record, changes);
  const isAfter = await isIndexAfter(shadow, record, changes);
  const ours = new Set(withFate(fates, "after", "torn"));
  const users = withFate(fates, "users").map(shown);
  if (ours.size === 0 && !isAfter) return users; // it had not begun
  await writeRecord(runDir, { ...record, torn: "any" });
  const index = await openTemporaryIndex(repository, record);
  if (isAfter) await enterBefore(shadow, record, { changes, fates });
  const touched = changes.filter(({ path }) => ours.has(path));
  await removeFiles(
    record,
    touched.filter(({ status }) => status === "A").map(({ path }) => path),
  );
  const args = ["checkout-index", "-f", "-u", "-z", "--stdin"];
  const stdin = rawInput(touched.filter(({ status }) => status !== "A").map(({ path }) => path));
  await callTemporary(repository, record, { args, stdin });
  await rename(index, join(record.worktree.gitDir, "index"));
  return users;
}

/** Files that came with the landing, and the folders that are empty without them. */
async function removeFiles({ worktree }: LandRecord, paths: readonly RawPath[]): Promise<void> {
  for (const path of paths) await rm(below(worktree.path, path), { force: true });
  const folders = new Set(paths.flatMap(foldersAbove));
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) await rmdir(below(worktree.path, folder)).catch(() => undefined); // in use, or gone
}

/** The index says again what it said before the landing. What sparse rules hide stays hidden. */
async function enterBefore(
  { repository }: Shadow,
  record: LandRecord,
  { changes, fates }: { changes: readonly RawChange[]; fates: Fates },
): Promise<void> {
  const none = noOid(repository);
  const lines = changes.map(({ path, status, from }) =>
    status === "A" ? `0 ${none}\t${path}` : `${from.mode} ${from.oid}\t${path}`,
  );
  const update = (args: readonly string[], stdin: Buffer) =>
    callTemporary(repository, record, { args: ["update-index", ...args], stdin });
  await update(["--add", "--replace", "-z", "--index-info"], rawInput(lines));
  const hidden = changes.filter(({ path, status }) => status !== "A" && fates.get(path) === "hidden");
  await update(["--skip-worktree", "-z", "--stdin"], rawInput(hidden.map(({ path }) => path)));
  await refreshIndex(repository, record);
}
