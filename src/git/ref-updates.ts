// Every way in which plait moves a ref: always from a value that it names, so that nobody's move is overwritten.

import type { Oid, RefName, RunId } from "../core/ids.ts";
import { otherCommand } from "../core/text/command.ts";
import { fix, plainText, sentence } from "../core/text/sentence.ts";
import { isWhole } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import type { MergedTask } from "./merge.ts";
import { integrationRef, noOid, readRef, refCall, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

/** What became of a compare-and-swap. */
export type Swap =
  | { readonly kind: "moved" }
  /** It had the new value before: a call that was cut off had done it. */
  | { readonly kind: "already" }
  /** It has another value, or none. */
  | { readonly kind: "refused"; readonly now: Oid | null };

/** A move of a ref; `from` null makes it. */
export type RefMove = {
  readonly ref: RefName;
  readonly from: Oid | null;
  readonly to: Oid;
  readonly message: string;
  /** Of the worktree whose HEAD is on the ref: its log says so too. */
  readonly gitDir?: string;
};

/** Moves a ref, if it has the value that is expected. Durable. */
export async function swapRef(
  repository: Repository,
  { ref, from, to, message, gitDir }: RefMove,
): Promise<Swap> {
  const { git, commonDir } = repository;
  const args = ["update-ref", "--no-deref", "-m", message, ref, to, from ?? noOid(repository)];
  try {
    await git({ args, cwd: commonDir, env: { GIT_DIR: gitDir ?? commonDir }, durable: true });
    return { kind: "moved" };
  } catch (error) {
    // "unable to resolve": it is gone. Never made anew: that would bring a deleted branch back.
    if (!isGitFailure(error, "conflict", "not-found")) throw error;
    const now = await readRef(repository, ref);
    return now === to ? { kind: "already" } : { kind: "refused", now };
  }
}

/** Makes the branch of an attempt. An earlier driver that was cut off may have made it: then it is where it belongs. */
export async function createBranch(repository: Repository, ref: RefName, at: Oid): Promise<void> {
  const swap = await swapRef(repository, { ref, from: null, to: at, message: "plait: start" });
  if (swap.kind === "refused") throw new Error(`${ref} changed: it is at ${swap.now}, not at ${at}`);
}

/** Deletes refs, each only while it has the value that was read. Returns those that had moved and stayed. */
export async function deleteRefs(repository: Repository, refs: readonly RefAt[]): Promise<string[]> {
  if (refs.length === 0) return [];
  const stdin = refs.map(([ref, at]) => `delete ${ref} ${at}\n`).join("");
  const args = ["update-ref", "--no-deref", "--stdin"];
  try {
    await refCall(repository, args, { durable: true, stdin });
    return [];
  } catch (error) {
    if (!isGitFailure(error, "conflict", "not-found")) throw error;
    const [first] = refs;
    if (refs.length > 1 || first === undefined) {
      return (await Promise.all(refs.map((ref) => deleteRefs(repository, [ref])))).flat();
    }
    return (await readRef(repository, first[0])) === null ? [] : [first[0]];
  }
}

/** A ref and the value it had when it was read. */
export type RefAt = readonly [ref: string, at: Oid];

/** For reading alone. */
export async function isAncestor(repository: Repository, ancestor: Oid, of: Oid): Promise<boolean> {
  return (
    (await refCall(repository, ["merge-base", "--is-ancestor", ancestor, of], { allow: [1] })).code === 0
  );
}

/** Makes the ref; one that an earlier driver made is as good, wherever it is by now. Returns where it is. */
export async function startIntegration(repository: Repository, run: RunId, base: Oid): Promise<Oid> {
  const ref = integrationRef(run);
  const swap = await swapRef(repository, { ref, from: null, to: base, message: `plait: start ${run}` });
  return swap.kind === "refused" && swap.now !== null ? swap.now : base;
}

/** To a commit that has all of its work. It may be there already, or somebody has moved it: then the next advance says so. */
export async function continueIntegration(
  repository: Repository,
  run: RunId,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<void> {
  await swapRef(repository, { ref: integrationRef(run), from, to, message: `plait: continue ${run}` });
}

/** Thrown where a branch of plait's is not where plait put it. Whoever moved it may want what is there. */
export class MovedBranch extends Error {
  override readonly name = "MovedBranch";

  constructor({ ref, from, now }: { readonly ref: RefName; readonly from: Oid; readonly now: Oid | null }) {
    const back = otherCommand("git", "update-ref", now === null ? [ref, from] : [ref, from, now]);
    const what = `${shortName(ref)} was moved by another program, to ${now ?? "nothing"}`;
    super(plainText(sentence`${what}; ${fix("move it back", back)}`));
  }
}

type Advanced =
  | { readonly kind: "advanced" }
  /** It is there, or beyond: an advance that was cut off had done it. */
  | { readonly kind: "already" }
  /** Somebody else moved it: the candidate has to be built anew. */
  | { readonly kind: "moved"; readonly now: Oid | null }
  /** Objects of the candidate were pruned: it has to be built anew. */
  | { readonly kind: "incomplete" };

export async function advance(
  shadow: Shadow,
  { run, from, to, tasks }: { run: RunId; from: Oid; to: Oid; tasks: readonly MergedTask[] },
  isAgain = false,
): Promise<Advanced> {
  const { repository } = shadow;
  if (!(await isWhole(shadow, to, [from]))) return { kind: "incomplete" };
  const message = `plait: merge ${tasks.map(({ task }) => task).join(", ")}`;
  const ref = integrationRef(run);
  const swap = await swapRef(repository, { ref, from, to, message });
  if (swap.kind === "moved") return { kind: "advanced" };
  if (swap.kind === "already") return { kind: "already" };
  if (swap.now === null && !isAgain) {
    // Deleted by somebody: it is plait's, and the journal says where it was.
    await swapRef(repository, { ref, from: null, to: from, message: `plait: restore ${run}` });
    return advance(shadow, { run, from, to, tasks }, true);
  }
  if (swap.now !== null && (await isAncestor(repository, to, swap.now))) return { kind: "already" };
  return { kind: "moved", now: swap.now };
}
