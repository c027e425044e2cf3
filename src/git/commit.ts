// Commits made by plait: no hook runs, nothing is signed unless it is asked for, and the same input gives the same name, so
// that work that was cut off is simply done again. (A signature may have a time in it: then a second one has another name.)

import type { EpochMs, Revision } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import { isGitFailure } from "./failure.ts";
import type { Identity } from "./repository.ts";
import { linesOf, textOf } from "./run.ts";
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
  const committer = { ...identity, date: `@${Math.floor(draft.at / 1000)} +0000` };
  const env = identityEnvironment(committer, draft.author);
  // The path of a key may be told from the root of the checkout.
  const signing = sign ? { timeoutMs: SIGN_LIMIT_MS, ...(workTree === null ? {} : { workTree }) } : {};
  return oid(textOf(await callShadow(shadow, { args, env, stdin: message, durable: true, ...signing })));
}

/** For a commit of this one's; without a date it is made now. */
export function identityEnvironment(
  committer: Identity & { readonly date?: string },
  author = committer,
): Record<string, string> {
  const people = Object.entries({ AUTHOR: author, COMMITTER: committer });
  return Object.fromEntries(
    people.flatMap(([role, { name, email, date }]) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, email],
      ...(date === undefined ? [] : [[`GIT_${role}_DATE`, date]]),
    ]),
  );
}

/** Everything that `commit` needs is in the repository. A `gc --prune=now` beside us may have deleted what nothing held. */
export async function isWhole(shadow: Shadow, commit: Oid, known: readonly Oid[]): Promise<boolean> {
  const args = ["rev-list", "--objects", "--quiet", commit, "--not", ...known];
  return callShadow(shadow, { args }).then(
    () => true,
    (error: unknown) => {
      if (isGitFailure(error, "corrupt", "not-found")) return false; // names what is missing
      throw error;
    },
  );
}

type Result = {
  readonly result: Revision;
  /** What the task's own changes are measured against: its base, or the newer integration commit that it took in. */
  readonly since: Revision;
};

type ResultInput = {
  readonly tree: Oid;
  readonly base: Revision;
  readonly head: Oid | null;
  /** The integration ref as it is now: an agent may have merged it. */
  readonly integration: Oid | null;
  /** Whether the agent's own commits are kept where they descend from the base. */
  readonly history: "keep" | "squash";
  readonly message: string;
  readonly at: EpochMs;
};

/**
 * What counts is the work tree at the end, whatever branch HEAD is on: it is what the agent saw and what its tests ran
 * on. The only question is what the result commit stands on.
 */
export async function makeResult(shadow: Shadow, input: ResultInput): Promise<Result> {
  const { tree, base, head, history, message, at } = input;
  const own = head === null || head === base.commit ? null : await describeHead(shadow, input, head);
  const since = own?.since ?? base;
  if (history === "keep" && own !== null) {
    if (own.tree === tree) return { result: { commit: own.head, tree }, since };
    return {
      result: { commit: await writeCommit(shadow, { tree, parents: [own.head], message, at }), tree },
      since,
    };
  }
  if (tree === since.tree) return { result: since, since };
  return {
    result: { commit: await writeCommit(shadow, { tree, parents: [since.commit], message, at }), tree },
    since,
  };
}

/**
 * HEAD, when it descends from the base, and the newest integration commit in it. Null for an amended base or a history
 * of its own: then the result is one commit on the base, because a merge would find no common ground.
 */
async function describeHead(shadow: Shadow, { base, integration }: ResultInput, head: Oid) {
  if (!(await descends(shadow, base.commit, head))) return null;
  const common = ["merge-base", "--all", integration ?? base.commit, head];
  const bases = linesOf(await callShadow(shadow, { args: common, allow: [1] }));
  const [commit = base.commit, ...others] = bases;
  if (others.length > 0) return null; // criss-cross: no single commit to stand on
  const asked = `${head}^{tree}\n${commit}^{tree}\n`;
  const trees = await callShadow(shadow, { args: ["cat-file", "--batch-check=%(objectname)"], stdin: asked });
  const [tree = "", sinceTree = ""] = linesOf(trees);
  return { head, tree: oid(tree), since: { commit: oid(commit), tree: oid(sinceTree) } };
}

async function descends(shadow: Shadow, base: Oid, head: Oid): Promise<boolean> {
  try {
    return (
      (await callShadow(shadow, { args: ["merge-base", "--is-ancestor", base, head], allow: [1] })).code === 0
    );
  } catch (error) {
    if (!isGitFailure(error, "not-found", "corrupt")) throw error;
    return false; // HEAD names a commit that is not there
  }
}

export async function treeOfCommit(shadow: Shadow, commit: Oid): Promise<Oid> {
  return oid(textOf(await callShadow(shadow, { args: ["rev-parse", "--verify", `${commit}^{tree}`] })));
}
