// A landing that is under way, written down before the first step: what a driver needs to find and finish one that was cut
// off, with the target and the files in any mixture of before and after.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import { copyIndex, readFileOrNull, removeFile, replaceFile } from "./files.ts";
import { freshLock } from "./index-lock.ts";
import { callUser, type TargetMove, type UserWorktree } from "./landing.ts";
import type { RawPath } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

export type LandRecord = {
  readonly verb: TargetMove["verb"];
  readonly run: RunId;
  readonly target: RefName;
  readonly from: Oid;
  readonly to: Revision;
  readonly worktree: UserWorktree;
  /**
   * Files that were as the landing would make them, by the user's own doing: an undoing must leave them.
   * Null until that is known: no file has been touched.
   */
  readonly adopted: readonly RawPath[] | null;
  /**
   * How many files may be half written: the one that git was at when it was killed, or any, because git gave up by itself
   * (a full disk) or files were being set back.
   */
  readonly torn: "one" | "any";
};

/** A landing whose files may have been touched. */
export type BegunLanding = LandRecord & { readonly adopted: readonly RawPath[] };

export function hasBegun(record: LandRecord): record is BegunLanding {
  return record.adopted !== null;
}

const recordPath = (runDir: string): string => join(runDir, "landing.json");

export async function writeRecord(runDir: string, record: LandRecord): Promise<void> {
  await replaceFile(recordPath(runDir), `${JSON.stringify(record)}\n`);
}

export async function readRecord(runDir: string): Promise<LandRecord | null> {
  const text = await readFileOrNull(recordPath(runDir));
  return text === null ? null : (JSON.parse(text.toString("utf8")) as LandRecord); // ours, whole or not there
}

/** The landing is over, one way or the other. */
export async function forgetRecord(runDir: string, record: LandRecord): Promise<void> {
  const index = temporaryIndex(record);
  await removeFile(index);
  await removeFile(`${index}.lock`);
  await removeFile(freshLock(join(record.worktree.gitDir, "index.lock"), record.run));
  await rm(recordPath(runDir), { force: true });
}

/** Beside the user's own, so that it can take its place in one step. */
export function temporaryIndex({ worktree, run }: LandRecord): string {
  return join(worktree.gitDir, `plait-${run}.index`);
}

/** A copy of the user's index that knows which files are as it says. */
export async function openTemporaryIndex({ git }: Repository, record: LandRecord): Promise<string> {
  const index = temporaryIndex(record);
  await removeFile(`${index}.lock`);
  await copyIndex(join(record.worktree.gitDir, "index"), index);
  await refreshIndex(git, record, index);
  return index;
}

export async function refreshIndex(
  git: Repository["git"],
  { worktree }: LandRecord,
  index: string,
): Promise<void> {
  await callUser(git, worktree, index, { args: ["update-index", "-q", "--refresh"], allow: [1] }); // 1: some differ
}
