// What the tree at HEAD says about checkouts: submodules (a fresh worktree has their folders empty) and Git LFS.

import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { configFlag, type GitConfig } from "./config.ts";
import { isGitFailure } from "./failure.ts";
import { exists } from "./files.ts";
import type { Git } from "./run.ts";

/** `missing`: the tree uses Git LFS, and the program is not there. */
export type LargeFiles = "none" | "present" | "missing";

export type TreeFacts = { readonly hasSubmodules: boolean; readonly largeFiles: LargeFiles };

export async function readTreeFacts(
  git: Git,
  { folder, commit, config }: { folder: string; commit: Oid; config: GitConfig },
): Promise<TreeFacts> {
  const asked = `${commit}:.gitmodules\n${commit}:.gitattributes\n`;
  const answer = (await git({ args: ["cat-file", "--batch"], cwd: folder, stdin: asked })).stdout.toString(
    "utf8",
  );
  const usesLfs = /\bfilter=lfs\b/.test(answer);
  return {
    hasSubmodules: !answer.startsWith(`${commit}:.gitmodules missing`),
    largeFiles: usesLfs && hasFilters(config, "lfs") ? await findLfs(git, folder) : "none",
  };
}

/** Whether a checkout dies without the filter's program. */
export function hasFilters(config: GitConfig, name: string): boolean {
  return configFlag(config, `filter.${name}.required`);
}

async function findLfs(git: Git, folder: string): Promise<LargeFiles> {
  try {
    await git({ args: ["lfs", "version"], cwd: folder });
    return "present";
  } catch (error) {
    if (isGitFailure(error, "old-git", "other")) return "missing"; // "'lfs' is not a git command"
    throw error;
  }
}

/** What a person is in the middle of in one worktree. */
export type Operation = "merge" | "cherry-pick" | "revert" | "rebase" | "am" | "sequencer" | "bisect";

const SIGNS: readonly (readonly [string, Operation])[] = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["sequencer", "sequencer"],
  ["BISECT_START", "bisect"],
];

export async function operationInProgress(gitDir: string): Promise<Operation | null> {
  for (const [name, operation] of SIGNS) if (await exists(join(gitDir, name))) return operation;
  return null;
}
