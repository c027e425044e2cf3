// A landing that is under way, written down before the first step: what a driver needs to find and finish one that was cut
// off, with the target and the files in any mixture of before and after.

import { rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import { otherCommand } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { hooksOfStart } from "./as-user.ts";
import { GITLINK, type RawChange } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { copyIndex, readFileOrNull, replaceFile } from "./files.ts";
import { freshLock } from "./index-lock.ts";
import { HOOK_LIMIT_MS } from "./land-commit.ts";
import { callUser, type TargetMove, type UserWorktree } from "./landing.ts";
import { type RawPath, rawInput } from "./raw-path.ts";
import { swapRef } from "./ref-updates.ts";
import { shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { GitOutput } from "./run.ts";
import type { Shadow } from "./shadow.ts";

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
  const fresh = freshLock(join(record.worktree.gitDir, "index.lock"), record.run);
  for (const path of [index, `${index}.lock`, fresh, recordPath(runDir)]) await rm(path, { force: true });
}

/** Beside the user's own, so that it can take its place in one step. */
export function temporaryIndex({ worktree, run }: LandRecord): string {
  return join(worktree.gitDir, `plait-${run}.index`);
}

/** A copy of the user's index that knows which files are as it says. */
export async function openTemporaryIndex(repository: Repository, record: LandRecord): Promise<string> {
  const index = temporaryIndex(record);
  await rm(`${index}.lock`, { force: true });
  await copyIndex(join(record.worktree.gitDir, "index"), index);
  await refreshIndex(repository, record);
  return index;
}

/** git in the user's worktree, with the temporary index. */
export function callTemporary(
  { git }: Repository,
  record: LandRecord,
  call: Parameters<typeof callUser>[3],
): Promise<GitOutput> {
  return callUser(git, record.worktree, temporaryIndex(record), call);
}

export async function refreshIndex(repository: Repository, record: LandRecord): Promise<void> {
  const args = ["update-index", "-q", "--refresh"];
  await callTemporary(repository, record, { args, allow: [1] }); // 1: some differ
}

/** Files and the temporary index go from one commit to the other; what is not in their difference is not touched. */
export async function switchFiles(repository: Repository, record: LandRecord): Promise<void> {
  await callTemporary(repository, record, { args: ["read-tree", "-m", "-u", record.from, record.to.commit] });
}

/** Enters files as they are, also that they are gone. */
export async function enterFiles(
  repository: Repository,
  record: LandRecord,
  paths: readonly RawPath[],
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await callTemporary(repository, record, { args, stdin: rawInput(paths) });
}

/** The new index takes the place of the user's, and the target its new value. False when somebody moved the target. */
export async function publish(repository: Repository, record: LandRecord): Promise<boolean> {
  const { verb, worktree, target, from, to, run } = record;
  await rename(temporaryIndex(record), join(worktree.gitDir, "index"));
  const { path: cwd, gitDir } = worktree;
  await repository.git({ args: ["update-ref", "ORIG_HEAD", from], cwd, env: { GIT_DIR: gitDir } });
  const move = { ref: target, from, to: to.commit, message: `plait: ${verb} ${run}`, gitDir };
  return (await swapRef(repository, move)).kind !== "refused";
}

/** What the user has to know; and the user's own hook, as after any merge. It was there when the run started. */
const UPDATE_SUBMODULES = otherCommand("git", "submodule update");

export async function finish(
  shadow: Shadow,
  { verb, worktree, target }: LandRecord,
  changes: readonly RawChange[],
): Promise<string[]> {
  const moved = changes.filter(({ to }) => to.mode === GITLINK);
  const submodules =
    moved.length === 0
      ? []
      : [
          plainText(
            sentence`Submodules changed on ${shortName(target)}; update them: ${command(UPDATE_SUBMODULES)}`,
          ),
        ];
  return [...submodules, ...(verb === "land" ? await postMerge(shadow, worktree, changes) : [])];
}

async function postMerge(
  shadow: Shadow,
  { path }: UserWorktree,
  changes: readonly RawChange[],
): Promise<string[]> {
  const tracked = `${relative(path, shadow.hooks)}/`;
  if (changes.some((change) => change.path.startsWith(tracked)))
    return [`Hook post-merge was not run: this landing changed ${tracked}`];
  try {
    await shadow.repository.git({
      args: ["hook", "run", "--ignore-missing", "post-merge", "--", "0"],
      config: await hooksOfStart(shadow),
      cwd: path,
      asUser: true,
      timeoutMs: HOOK_LIMIT_MS,
    });
    return [];
  } catch (error) {
    if (!isGitFailure(error, "other", "not-found", "read-only")) throw error;
    return [`Hook post-merge failed: ${error.failure.stderr.trim()}`];
  }
}
