// A commit of some files on the branch that is checked out, as the user would make it with `git commit --only`: with the user's hooks
// and signing. Everything else in the index and in the working tree stays as it is (I3).

import { type Oid, oid } from "../core/ids.ts";
import { callAsUser, readErrorOutput } from "./as-user.ts";
import { identityEnvironment } from "./commit.ts";
import { rawFields, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { operationInProgress } from "./repository-facts.ts";
import { textOf } from "./run.ts";

/** A file that differs from HEAD. Its path is from the root of the working tree. */
export type FileChange = {
  readonly path: string;
  readonly isTracked: boolean;
  /** Staged in one version and changed again since, or not merged: a commit of the file would lose the staged version. */
  readonly isMixed: boolean;
};

/** Below these paths, which are from the root of the working tree. Ignored files are not listed. */
export async function listChanges(
  { git, workTree }: Repository,
  below: readonly string[],
): Promise<FileChange[]> {
  if (workTree === null || below.length === 0) return [];
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ...below];
  const fields = rawFields((await git({ args, cwd: workTree })).stdout);
  return fields.map((field) => {
    const [staged = " ", unstaged = " "] = field;
    const isTracked = staged !== "?";
    const isMixed = isTracked && staged !== " " && unstaged !== " ";
    return { path: shown(field.slice(3) as typeof field), isTracked, isMixed };
  });
}

export type CommittedChanges =
  | { readonly kind: "committed"; readonly commit: Oid }
  /** Why not, in one sentence, perhaps in the words of a hook. Nothing was changed. */
  | { readonly kind: "refused"; readonly detail: string };

/** Why they cannot be committed without anything else, as far as that is known beforehand; null where they can. */
export async function findCommitProblem(
  { gitDir, head }: Repository,
  changes: readonly FileChange[],
): Promise<string | null> {
  // A commit on a detached HEAD is lost with the next checkout.
  if (head.kind !== "branch") return "no branch is checked out";
  const operation = await operationInProgress(gitDir);
  if (operation !== null) return `a ${operation} is in progress`;
  const mixed = changes.filter(({ isMixed }) => isMixed).map(({ path }) => path);
  return mixed.length === 0 ? null : `staged, and changed again since: ${mixed.join(", ")}`;
}

/** A hook may run tests. */
const HOOK_LIMIT_MS = 10 * 60_000;

/** All of them as they lie there, deleted ones included. */
export async function commitChanges(
  repository: Repository,
  { changes, message }: { readonly changes: readonly FileChange[]; readonly message: string },
): Promise<CommittedChanges> {
  const problem = await findCommitProblem(repository, changes);
  if (problem !== null) return { kind: "refused", detail: problem };
  const exactly = (some: readonly FileChange[]) => some.map(({ path }) => `:(top,literal)${path}`);
  const added = exactly(changes.filter(({ isTracked }) => !isTracked));
  const env = identityEnvironment(repository.identity);
  try {
    if (added.length > 0) await callAsUser(repository, { args: ["add", "--", ...added] });
    const args = ["commit", "--quiet", "--only", "-m", message, "--", ...exactly(changes)];
    await callAsUser(repository, { args, env, timeoutMs: HOOK_LIMIT_MS });
  } catch (error) {
    // Those that git did not know before are unknown to it again.
    if (added.length > 0) await callAsUser(repository, { args: ["reset", "--quiet", "--", ...added] });
    return { kind: "refused", detail: readErrorOutput(error) };
  }
  return {
    kind: "committed",
    commit: oid(textOf(await callAsUser(repository, { args: ["rev-parse", "HEAD"] }))),
  };
}
