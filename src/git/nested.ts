// Repositories inside a worktree: those an agent made or cloned, and submodules. Their files are in the saved tree (those
// of a submodule beside it); their commits are fetched into ours under names that last until the save has its ref.

import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import { treeOfCommit, writeCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import { exists } from "./files.ts";
import { type RawPath, shown } from "./raw-path.ts";
import { readRefs, refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { retryGit } from "./retry-git.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import { listGitlinks } from "./submodules.ts";
import type { Tip } from "./tips.ts";
import { type LeftBehind, scanWorkTree } from "./work-tree.ts";

export type FetchedHistory = { readonly tips: readonly Tip[]; readonly leftBehind: readonly LeftBehind[] };

/** Brings the commits of a repository into ours. One that cannot be fetched from (shallow, broken) is left where it is. */
export async function fetchHistory(
  repository: Repository,
  folder: string,
  into: string,
): Promise<FetchedHistory> {
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const plain = ["fetch", ...quiet, "--no-recurse-submodules", folder];
  const fetch = (...refspecs: string[]) => refCall(repository, [...plain, ...refspecs], { durable: true });
  const all = `+refs/*:${into}/refs/*`;
  const stays: FetchedHistory = { tips: [], leftBehind: [{ path: folder, why: "nested-history", bytes: 0 }] };
  try {
    // What a broken one says is no other than what a git says that fails once; and a fetch may be repeated.
    const { stderr } = await retryGit(() =>
      fetch(`+HEAD:${into}/HEAD`, all).catch((error: unknown) => {
        if (!isGitFailure(error, "not-found")) throw error;
        return fetch(all); // no commit on its HEAD yet
      }),
    );
    if (/^warning: rejected/m.test(stderr)) return stays; // shallow: a fetch would make ours shallow too
  } catch (error) {
    if (!isGitFailure(error, "other", "not-a-repository", "corrupt", "not-found", "read-only")) throw error;
    return stays;
  }
  const refs = await readRefs(repository, into);
  return {
    tips: [...refs.values()].map((commit) => ({ commit, from: `repository ${folder}` })),
    leftBehind: [],
  };
}

/** Submodules that somebody has filled. A fresh worktree has none: their folders are empty there. */
export async function filledSubmodules(shadow: Shadow, root: string, index: string): Promise<RawPath[]> {
  if (!(await exists(join(root, ".gitmodules")))) return [];
  const paths = (await listGitlinks(shadow, { path: root, index })).map(({ path }) => path);
  const filled = await Promise.all(paths.map((path) => exists(join(root, shown(path), ".git"))));
  return paths.filter((_, i) => filled[i]);
}

/** What is changed inside a submodule and not committed there: git in the worktree around it does not see that. */
export async function saveSubmoduleFiles(
  shadow: Shadow,
  {
    folder,
    head,
    index,
    at,
    maxBytes,
  }: { folder: string; head: Oid; index: string; at: number; maxBytes: number },
): Promise<FetchedHistory> {
  await callShadow(shadow, { args: ["read-tree", head], workTree: folder, index });
  const { tree, leftBehind } = await scanWorkTree(shadow, {
    path: folder,
    index,
    maxBytes,
    absent: new Set(),
  });
  if (tree === (await treeOfCommit(shadow, head))) return { tips: [], leftBehind };
  const commit = await writeCommit(shadow, { tree, parents: [head], message: `files of ${folder}\n`, at });
  return { tips: [{ commit, from: `files of ${folder}` }], leftBehind };
}
