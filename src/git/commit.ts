// Commits made by plait: no hook runs, nothing is signed unless it is asked for, and the same input gives the same name, so
// that work that was cut off is simply done again. (A signature may have a time in it: then a second one has another name.)

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
  /** Who wrote it, where that is not who commits it. */
  readonly author?: Author;
  /** By the user's key, as the configuration of the start of the run says. */
  readonly sign?: boolean;
};

/** `date` as git takes it: `@<seconds> <zone>`. */
export type Author = Identity & { readonly date: string };

/** A key may have to be unlocked, or touched. */
const SIGN_LIMIT_MS = 2 * 60_000;

export async function writeCommit(shadow: Shadow, draft: CommitDraft): Promise<Oid> {
  const { tree, parents, message, sign = false } = draft;
  const { identity, workTree } = shadow.repository;
  const args = [
    ...["commit-tree", ...(sign ? ["-S"] : []), tree],
    ...[...new Set(parents)].flatMap((parent) => ["-p", parent]),
    ...["-F", "-"],
  ];
  const env = identityEnvironment(identity, draft);
  // The path of a key may be told from the root of the checkout.
  const signing = sign ? { timeoutMs: SIGN_LIMIT_MS, ...(workTree === null ? {} : { workTree }) } : {};
  return oid(textOf(await callShadow(shadow, { args, env, stdin: message, durable: true, ...signing })));
}

function identityEnvironment(
  committer: Identity,
  { at, author }: Pick<CommitDraft, "at" | "author">,
): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: author?.name ?? committer.name,
    GIT_AUTHOR_EMAIL: author?.email ?? committer.email,
    GIT_AUTHOR_DATE: author?.date ?? date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: date,
  };
}

/** Everything that `commit` needs is in the repository. A `gc --prune=now` beside us may have deleted what nothing held. */
export async function isWhole(shadow: Shadow, commit: Oid, known: readonly Oid[]): Promise<boolean> {
  const args = ["rev-list", "--objects", "--quiet", commit, "--not", ...known];
  return (await callShadow(shadow, { args, allow: [1, 128] })).code === 0;
}
