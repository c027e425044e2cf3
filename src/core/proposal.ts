import type { Revision } from "./facts.ts";
import type { Oid, TaskId } from "./ids.ts";

/** What the text of a pull request is about. */
export type ProposalScope = {
  /** Null: every task of the run. */
  readonly task: TaskId | null;
  /** Null where it is not part of a stack. */
  readonly place: StackPlace | null;
  /** What its gates are shown for; null: the result of the run. */
  readonly tree: Oid | null;
};

export type StackPlace = {
  readonly n: number;
  readonly of: number;
  /** The pull request that has to be merged before; null for the first. */
  readonly below: { readonly url: string; readonly title: string } | null;
};

export const WHOLE_RUN: ProposalScope = { task: null, place: null, tree: null };

/** One task of a stack of pull requests. */
export type StackStep = {
  readonly task: TaskId;
  /** The task below it in its stack; null: it is based on the target. */
  readonly on: TaskId | null;
  readonly result: Revision;
};

export type PullRequest = {
  /** Null: all tasks of the run. */
  readonly task: TaskId | null;
  readonly branch: string;
  /** The branch that it is to be merged into: the target, or the branch below it in a stack. */
  readonly base: string;
  readonly url: string;
};

/** A branch of plait's own on the server, as plait left it. */
export type PushedBranch = { readonly branch: string; readonly commit: Oid };
