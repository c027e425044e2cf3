// What counts as a task's result: the work tree at the end, whatever branch HEAD is on. It is what the agent saw and what
// its tests ran on. The only question is what the result commit stands on.

import type { EpochMs, Revision } from "../core/facts.ts";
import { type Oid, oid } from "../core/ids.ts";
import { writeCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import { linesOf, textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type Result = {
  readonly result: Revision;
  /** What the task's own changes are measured against: its base, or the newer integration commit that it took in. */
  readonly since: Revision;
};

export type ResultInput = {
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
