// What lands, as commits: the run's work in the shape that the target's owner wants it in, so that the server behind the
// target takes it too.
//
//   rebase   one commit a task on the target, in the order of merging: no merge commits (land-line.ts)
//   merge    the integration branch itself while the target has not moved, else one commit that joins the two
//   squash   one commit on the target
//
// Trees are merged in the object database, and nothing points to what is built until it lands. A tree that is not the
// integration branch's own has to be gated before it lands. Built again after a crash the commits have the same names; where
// a signature or a hook makes that impossible the first ones are left for git's gc.

import type { EpochMs, Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId, TaskId } from "../core/ids.ts";
import type { LandStyle } from "../core/plan.ts";
import type { StackStep } from "../core/proposal.ts";
import { plait } from "../core/text/command.ts";
import { fix, plainText, sentence } from "../core/text/sentence.ts";
import { treeOfCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import type { Start } from "./fingerprint.ts";
import { type ChainLink, readChain } from "./land-chain.ts";
import {
  type CommitRefused,
  type Finish,
  findHooks,
  identityProblem,
  isSigned,
  writeLandingCommit,
} from "./land-commit.ts";
import { buildLine } from "./land-line.ts";
import { fillMessage, joinMessages, withTrailers } from "./land-message.ts";
import {
  type Conflict,
  conflictWithoutTree,
  type MergedTask,
  type MergedTrees,
  mergeTrees,
  mergeTreesFrom,
  type TreeConflict,
} from "./merge.ts";
import { describePlanted } from "./planted.ts";
import { shown } from "./raw-path.ts";
import { isAncestor } from "./ref-updates.ts";
import { shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Shadow } from "./shadow.ts";

export type BuildInput = Start & {
  readonly run: RunId;
  readonly runDir: string;
  /** The name of the plan, for messages. */
  readonly plan: string;
  readonly target: RefName;
  /** The target as it is now. */
  readonly onto: Oid;
  /** The integration tip. */
  readonly tip: Oid;
  /** What the work counts from: the run's base, or the tip that landed last. The tasks are those merged from there to `tip`. */
  readonly base: Oid;
  /** The tip landed before, and was taken back by a commit. */
  readonly isReverted: boolean;
  readonly style: LandStyle;
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
  /** Of commits of their own, those of these tasks alone; left out: of all. */
  readonly only?: ReadonlySet<TaskId>;
};

export type Built =
  /** `result` is the tip itself where nothing had to be built, and `onto` where the target has all of it. */
  | {
      readonly kind: "built";
      readonly result: Revision;
      /** By task, the commit that has its work, where that is not the one of the integration branch. */
      readonly commits?: readonly MergedTask[];
      /** One a task, where each has a commit of its own. */
      readonly steps?: readonly StackStep[];
    }
  | BuildConflict
  | CommitRefused;

type BuildConflict = { readonly kind: "conflict" } & Omit<Conflict, "with">;

/** Whether what lands is not the tip itself, also where the target has not moved. */
export function hasOwnCommits(repository: Repository, style: LandStyle): boolean {
  const { as, signoff, message } = style;
  return as !== "merge" || signoff || message !== null || isSigned(repository, style);
}

export async function buildLanding(shadow: Shadow, input: BuildInput): Promise<Built> {
  const { repository } = shadow;
  const { style, onto, tip, runDir } = input;
  const { signoff, author } = style;
  const sign = isSigned(repository, style);
  if (!hasOwnCommits(repository, style) && (await isAncestor(repository, onto, tip)))
    return built(shadow, tip);
  // The user merged it and resolved the conflicts.
  if (!input.isReverted && (await isAncestor(repository, tip, onto))) return built(shadow, onto);
  const nobody = identityProblem(repository, { sign, signoff, author });
  if (nobody !== null) return nobody;
  const planted = await describePlanted(shadow, input);
  if (planted !== null)
    return {
      kind: "refused",
      why: "config",
      detail: plainText(sentence`${planted} ${fix("Next", plait("land", input.run))}`),
    };
  const finish: Finish = { sign, signoff, runDir, hooks: await findHooks(shadow) };
  if (style.as === "rebase") {
    const line = await buildLine(shadow, input, finish);
    return line.kind === "conflict" ? describeConflict(line) : line;
  }
  const tree = await treeThatLands(shadow, input);
  if (tree.kind === "conflict") return describeConflict(tree);
  const isThere = await isAncestor(repository, tip, onto);
  const hasNothing = style.as === "squash" || isThere;
  if (hasNothing && tree.tree === (await treeOfCommit(shadow, onto))) return built(shadow, onto);
  const isMerge = style.as === "merge" && !isThere;
  const chain = isMerge && style.message === null ? [] : await readChain(shadow, input.base, tip);
  const draft = {
    ...{ tree: tree.tree, at: input.at, parents: isMerge ? [onto, tip] : [onto] },
    message: buildMessage(input, chain),
    source: isMerge ? ("merge" as const) : ("message" as const),
  };
  const written = await writeLandingCommit(shadow, draft, finish);
  if (written.kind === "refused") return written;
  const { commit } = written;
  const commits = chain.flatMap(({ task }) => (task === null ? [] : [{ ...task, commit }]));
  return { kind: "built", result: { commit, tree: tree.tree }, ...(!isMerge && { commits }) };
}

/** All of the run's work and all of the target's. */
async function treeThatLands(
  shadow: Shadow,
  { style, runDir, base, onto, tip }: BuildInput,
): Promise<MergedTrees> {
  const { repository } = shadow;
  const [isThere, isSince] = await Promise.all([
    isAncestor(repository, tip, onto), // it landed, and was taken back by a commit
    isAncestor(repository, base, onto),
  ]);
  if (isThere || (style.as === "squash" && !isSince)) {
    return mergeTreesFrom(shadow, runDir, {
      base: await treeOfCommit(shadow, base),
      ours: await treeOfCommit(shadow, onto),
      theirs: await treeOfCommit(shadow, tip),
    });
  }
  try {
    return await mergeTrees(shadow, runDir, { ours: onto, theirs: tip });
  } catch (error) {
    if (!isGitFailure(error, "other") || !error.failure.stderr.includes("unrelated histories")) throw error;
    return conflictWithoutTree(await treeOfCommit(shadow, onto), "unrelated histories");
  }
}

/** Of a squash or merge commit. A merge brings the commits of its tasks along, and they say which those are. */
function buildMessage({ run, plan, target, style }: BuildInput, chain: readonly ChainLink[]): string {
  const ofRun = `Plait-Run: ${run}`;
  const isSquash = style.as === "squash";
  if (!isSquash && style.message === null)
    return withTrailers(`Merge plait run ${run} into ${shortName(target)}`, [ofRun]);
  if (style.message === null) return joinMessages(chain, { run, plan });
  const tasks = chain.flatMap(({ task, title }) => (task === null ? [] : [{ task: task.task, title }]));
  const once = tasks.filter(({ task }, n) => tasks.findIndex((other) => other.task === task) === n);
  const text = fillMessage(style.message, { run, plan, tasks: once });
  return withTrailers(text, [ofRun, ...(isSquash ? once.map(({ task }) => `Plait-Task: ${task}`) : [])]);
}

async function built(shadow: Shadow, commit: Oid): Promise<Built> {
  return { kind: "built", result: { commit, tree: await treeOfCommit(shadow, commit) } };
}

function describeConflict({ paths, types }: TreeConflict): BuildConflict {
  return { kind: "conflict", paths: paths.map(shown), types };
}
