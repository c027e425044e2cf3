// The steps of a landing that its repair takes too.

import { rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { otherCommand } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { hooksOfStart } from "./as-user.ts";
import { GITLINK, type RawChange } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { HOOK_LIMIT_MS } from "./land-commit.ts";
import { type LandRecord, temporaryIndex } from "./land-record.ts";
import { callUser, type UserWorktree } from "./landing.ts";
import { type RawPath, rawInput } from "./raw-path.ts";
import { swapRef } from "./ref-updates.ts";
import { shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/** Files and the temporary index go from one commit to the other; what is not in their difference is not touched. */
export async function switchFiles(
  { git }: Repository,
  record: LandRecord,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const args = ["read-tree", "-m", "-u", from, to];
  await callUser(git, record.worktree, temporaryIndex(record), { args });
}

/** Enters files as they are, also that they are gone. */
export async function enterFiles(
  { git }: Repository,
  record: LandRecord,
  paths: readonly RawPath[],
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await callUser(git, record.worktree, temporaryIndex(record), { args, stdin: rawInput(paths) });
}

/** The new index takes the place of the user's, and the target its new value. False when somebody moved the target. */
export async function publish(repository: Repository, record: LandRecord): Promise<boolean> {
  const { verb, worktree, target, from, to, run } = record;
  await rename(temporaryIndex(record), join(worktree.gitDir, "index"));
  const { git } = repository;
  await git({
    args: ["update-ref", "ORIG_HEAD", from],
    cwd: worktree.path,
    env: { GIT_DIR: worktree.gitDir },
  });
  const message = `plait: ${verb} ${run}`;
  const swap = await swapRef(repository, {
    ref: target,
    from,
    to: to.commit,
    message,
    gitDir: worktree.gitDir,
  });
  return swap.kind !== "refused";
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
