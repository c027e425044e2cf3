// git as the user would call it: with the user's hooks, credentials and address book of servers. Nobody is there to answer a
// question, so nothing may ask, and what waits for somebody else has a limit. Callers look first that nothing was planted
// since the start of the run (planted.ts).

import { GitError } from "./failure.ts";
import type { Repository } from "./repository.ts";
import { type GitCall, type GitOutput, textOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

type UserCall = Pick<GitCall, "args" | "allow" | "env" | "timeoutMs" | "config">;

/** In the checkout that plait was started in: hooks find the project's tools there. */
export function callAsUser(
  { git, commonDir, workTree }: Repository,
  { env, ...call }: UserCall,
): Promise<GitOutput> {
  // Of all that is ours in the environment, literal paths alone would change what a hook's own git does.
  const own = { GIT_LITERAL_PATHSPECS: "0", ...(workTree === null ? { GIT_DIR: commonDir } : {}) };
  return git({ ...call, cwd: workTree ?? commonDir, env: { ...own, ...env }, asUser: true });
}

/** Where the repository's hooks are: its own folder, or the one that the user has set. */
export async function findHooksFolder(repository: Repository): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
  return textOf(await callAsUser(repository, { args }));
}

/** The setting that makes git use the hooks of the start, where it would use others by now. */
export async function hooksOfStart({
  repository,
  hooks,
}: Pick<Shadow, "repository" | "hooks">): Promise<string[]> {
  return (await findHooksFolder(repository)) === hooks ? [] : [`core.hooksPath=${hooks}`];
}

/** What a program of the user's said when it failed. A full disk or a missing git is nobody's opinion. */
export function readErrorOutput(error: unknown): string {
  if (!(error instanceof GitError) || error.code === "no-git" || error.code === "no-space") throw error;
  return error.failure.stderr.trim() || error.message;
}
