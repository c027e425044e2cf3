// Which files of a repository came from somewhere else. A commit says who its author is, and anybody can write that; the reflogs say
// what was done in this clone, and no clone, fetch or pull brings those along.

import { isGitFailure } from "./failure.ts";
import { type Git, linesOf, textOf } from "./run.ts";

/** A commit that somebody made here, or made again here from their own. */
const MADE = /^(?:commit(?: \([\w-]+\))?|revert):/;
const MADE_AGAIN = /^(?:rebase(?: -i)?|pull .*) \((?:pick|reword|edit|squash|fixup|continue)\):/;
const RECEIVED = /^(?:clone|fetch|pull|am)\b/;

type Made = { readonly commits: ReadonlySet<string>; readonly hasReceived: boolean };

async function readReflogs(git: Git, cwd: string): Promise<Made> {
  const args = ["log", "--walk-reflogs", "--all", "--format=%H %ae %ce %gs"];
  const commits = new Set<string>();
  let hasReceived = false;
  for (const line of linesOf(await git({ args, cwd }))) {
    const [, commit = "", author, committer, action = ""] = /^(\S+) (\S*) (\S*) (.*)$/.exec(line) ?? [];
    if (RECEIVED.test(action)) hasReceived = true;
    if (MADE.test(action) || (MADE_AGAIN.test(action) && author === committer)) commits.add(commit);
  }
  return { commits, hasReceived };
}

/**
 * Of these paths, those that a commit from somewhere else changed last; of a folder, any commit below it counts. What git does not
 * track is nobody's gift. Where no remote was ever there, nothing was received.
 */
export async function listReceived(git: Git, cwd: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  try {
    const made = await readReflogs(git, cwd);
    const remotes = textOf(await git({ args: ["remote"], cwd }));
    if (remotes === "" && !made.hasReceived) return [];
    const received: string[] = [];
    for (const path of paths) {
      const commits = await listCommitsTo(git, cwd, path);
      if (commits.some((commit) => !made.commits.has(commit))) received.push(path);
    }
    return received;
  } catch (error) {
    if (isGitFailure(error, "not-a-repository")) return [];
    throw error;
  }
}

async function listCommitsTo(git: Git, cwd: string, path: string): Promise<string[]> {
  const literal = "--literal-pathspecs";
  const tracked = linesOf(await git({ args: [literal, "ls-tree", "HEAD", "--", path], cwd }));
  const isFolder = tracked.some((line) => line.startsWith("040000 "));
  const last = isFolder ? [] : ["-1"];
  return linesOf(await git({ args: [literal, "log", ...last, "--format=%H", "HEAD", "--", path], cwd }));
}

/** Files of the commit that is checked out, below these paths from the root; by their names. */
export async function listCommitted(git: Git, cwd: string, paths: readonly string[]): Promise<string[]> {
  const args = [
    "--literal-pathspecs",
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    "--name-only",
    "HEAD",
    "--",
    ...paths,
  ];
  try {
    return textOf(await git({ args, cwd }))
      .split("\0")
      .filter(Boolean);
  } catch (error) {
    if (isGitFailure(error, "not-a-repository")) return [];
    throw error;
  }
}

export async function readCommitted(git: Git, cwd: string, path: string): Promise<string> {
  return (await git({ args: ["cat-file", "blob", `HEAD:${path}`], cwd })).stdout.toString();
}
