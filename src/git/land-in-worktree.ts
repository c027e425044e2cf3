// A landing where the target is checked out. The user's index.lock is held throughout, so HEAD, index and branch stay those
// that were looked at. The order is files → index → ref: cut off in between, the user sees the new work as changes, never
// as something to be undone.
//
//   record ── lock ── look ── files and a temporary index ── index ── ref ── unlock ── post-merge hook
//             └──────────── cut off here: repairLanding finds the record and the lock ──┘

import { join } from "node:path";
import { diffTrees, type RawChange } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { exists } from "./files.ts";
import { lockIndex, unlockIndex } from "./index-lock.ts";
import { precheck } from "./land-precheck.ts";
import {
  enterFiles,
  finish,
  forgetRecord,
  hasBegun,
  type LandRecord,
  openTemporaryIndex,
  publish,
  readRecord,
  switchFiles,
  writeRecord,
} from "./land-record.ts";
import { nameUnfinished, rollBack } from "./land-repair.ts";
import { type Landed, type Refused, refused, type TargetMove, type UserWorktree } from "./landing.ts";
import { readRef, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { operationInProgress } from "./repository-facts.ts";
import { textOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

const WAIT_MS = 5_000;

export async function landInWorktree(
  shadow: Shadow,
  work: TargetMove,
  worktree: UserWorktree,
): Promise<Landed | Refused | "raced"> {
  const { verb, run, runDir, target, from, to } = work;
  const record: LandRecord = { verb, run, target, from, to, worktree, adopted: null, torn: "one" };
  await writeRecord(runDir, record);
  const lock = await lockIndex(worktree.gitDir, run, work.waitMs ?? WAIT_MS);
  if (lock.kind !== "held") {
    await forgetRecord(runDir, record);
    const detail = lock.kind === "busy" ? lock.detail : "Another process is already landing this run";
    return refused("busy", detail);
  }
  const outcome = await landLocked(shadow, work, record).catch(async (error: unknown) => {
    // A full disk, say. Should this fail too, record and lock stay for a repair.
    const reached = (await readRecord(runDir)) ?? record;
    if (hasBegun(reached)) {
      const undoing = rollBack(shadow, { ...reached, torn: "any" }, runDir);
      await undoing.catch((failed: unknown) => Promise.reject(nameUnfinished(failed, reached)));
    }
    await unlockIndex(lock.path);
    await forgetRecord(runDir, record);
    throw error;
  });
  await unlockIndex(lock.path);
  if (outcome === "raced" || outcome.kind === "refused") {
    await forgetRecord(runDir, record);
    return outcome;
  }
  const notes = await finish(shadow, record, outcome.changes);
  await forgetRecord(runDir, record);
  return { kind: "landed", from, to, notes };
}

async function landLocked(
  shadow: Shadow,
  work: TargetMove,
  record: LandRecord,
): Promise<{ kind: "switched"; changes: readonly RawChange[] } | "raced" | Refused> {
  const { repository } = shadow;
  const { worktree, from, to } = record;
  const standing = await lookAround(repository, record);
  if (standing !== "fine") return standing;
  const index = await openTemporaryIndex(repository, record);
  const changes = await diffTrees(shadow, from, to.commit);
  const look = { changes, index, from };
  const { inTheWay, adopt, same, hasConflicts } = await precheck(repository, worktree, look);
  if (hasConflicts) return refused("busy", `${worktree.path} has unmerged paths`);
  if (inTheWay.length > 0) {
    const detail = "files that are not committed would be overwritten";
    return refused("dirty", detail, { files: inTheWay, worktree: worktree.path });
  }
  const known = { ...record, adopted: [...adopt, ...same] };
  await writeRecord(work.runDir, known); // from here on there may be something to undo
  await enterFiles(repository, record, adopt);
  const late = await switchFiles(repository, record).then(() => null, lateEdit);
  if (late !== null) return refused("dirty", `${worktree.path} changed during the landing: ${late}`);
  if (await publish(repository, record)) return { kind: "switched", changes };
  await rollBack(shadow, known, work.runDir);
  return "raced";
}

/** Something of the user's came in the way after the look: git saw it before it touched anything. */
function lateEdit(error: unknown): string {
  if (!isGitFailure(error, "other") || !LATE_EDIT.test(error.failure.stderr)) throw error;
  return error.failure.stderr.trim();
}

const LATE_EDIT = /not uptodate|would be (?:overwritten|removed|lost)|Untracked working tree/;

/** Under the lock: is it still the branch and the commit that were looked at, and nothing half done. */
async function lookAround(
  repository: Repository,
  { worktree, target, from }: LandRecord,
): Promise<"fine" | "raced" | Refused> {
  const { git } = repository;
  const call = { cwd: worktree.path, env: { GIT_DIR: worktree.gitDir } };
  const head = textOf(await git({ args: ["symbolic-ref", "-q", "HEAD"], ...call, allow: [1] }));
  if (head !== target || (await readRef(repository, target)) !== from) return "raced";
  const operation = await operationInProgress(worktree.gitDir);
  if (operation !== null) return refused("busy", `A ${operation} is in progress in ${worktree.path}`);
  if (await exists(join(worktree.gitDir, "index"))) return "fine";
  const detail = `${worktree.path} has no index: every file of ${shortName(target)} is staged for deletion`;
  return refused("dirty", detail);
}
