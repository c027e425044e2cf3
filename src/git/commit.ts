// Commits made by plait: no hook runs, nothing is signed, and the same input gives the same name, so that work that was cut
// off is simply done again.

import type { EpochMs } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import type { Identity } from "./repository.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type CommitDraft = {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** Taken as it is; trailers are its last paragraph. */
  readonly message: string;
  /** From the journal: the commit's name depends on it. */
  readonly at: EpochMs;
};

export async function writeCommit(shadow: Shadow, { tree, parents, message, at }: CommitDraft): Promise<Oid> {
  const args = ["commit-tree", tree, ...[...new Set(parents)].flatMap((parent) => ["-p", parent]), "-F", "-"];
  const env = identityEnvironment(shadow.repository.identity, at);
  return oid(textOf(await callShadow(shadow, { args, env, stdin: message, durable: true })));
}

function identityEnvironment({ name, email }: Identity, at: EpochMs): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

/** Everything that `commit` needs is in the repository. A `gc --prune=now` beside us may have deleted what nothing held. */
export async function isWhole(shadow: Shadow, commit: Oid, known: readonly Oid[]): Promise<boolean> {
  const args = ["rev-list", "--objects", "--quiet", commit, "--not", ...known];
  return (await callShadow(shadow, { args, allow: [1, 128] })).code === 0;
}
