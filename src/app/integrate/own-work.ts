// What is known of one task's work, and how a commit tells it.

import type { Oid } from "../../core/ids.ts";
import type { Plan, Task } from "../../core/plan.ts";
import type { LoggedCommit, Objects, Repository } from "../../git/index.ts";
import type { IntegratedTask } from "../../spec/integrate/report.ts";
import type { KnownRun } from "../runs.ts";

/** From what to what a task changed something. */
export type OwnChange = { readonly from: Oid; readonly to: Oid };

/** A commit and the tasks that its message names. */
export type JointCommit = {
  readonly commit: LoggedCommit;
  readonly tasks: readonly string[];
  /** Those that are not of this plan. */
  readonly others: readonly string[];
};

export type TaskWork = {
  readonly task: Task;
  readonly status: IntegratedTask["status"];
  readonly from: IntegratedTask["from"];
  /** The oldest first. */
  readonly commits: readonly LoggedCommit[];
  /** More than one where it was merged more than once. */
  readonly changes: readonly OwnChange[];
  /** Those that brought several tasks in at once: whose a change is, is said by ownership. */
  readonly joint: readonly JointCommit[];
  /** Why what it changed is not known, or not all of it; null: it is. A clause. */
  readonly untold: string | null;
  /** Why it is not part of the tree; null where it is. A clause. */
  readonly missing: string | null;
};

/** What one of the sources says; null: nothing. */
export type FoundWork = Omit<TaskWork, "task"> | null;

export const NO_WORK = { commits: [], changes: [], joint: [], untold: null } as const;

export type WorkQuestion = {
  readonly repository: Repository;
  readonly objects: Objects;
  readonly plan: Plan;
  readonly judged: Oid;
  /** Whether a commit is part of its history. */
  readonly isIn: (commit: Oid) => Promise<boolean>;
  readonly known: KnownRun | null;
  /** Whether a message that names this run and this task is about the task of this plan. */
  readonly isOfPlan: (run: string, task: string) => boolean;
  /** What is in the tree is decided by its history alone: also of work that is merged nowhere yet. */
  readonly byHistory: boolean;
};

/** Asked once for all commits since a run began; older ones are asked for by themselves. */
export function historyOf(
  objects: Objects,
  judged: Oid,
  since: Oid | null,
): (commit: Oid) => Promise<boolean> {
  let known: Promise<ReadonlySet<Oid>> | null = null;
  return async (commit) => {
    known ??= commitsSince(objects, judged, since);
    return (await known).has(commit) || objects.isAncestor(commit, judged);
  };
}

async function commitsSince(objects: Objects, judged: Oid, since: Oid | null): Promise<ReadonlySet<Oid>> {
  const found = since === null ? [] : ((await objects.log({ to: judged, not: [since] })) ?? []);
  return new Set(found.map(({ commit }) => commit));
}

/**
 * What a commit brought in that is of one task alone. A merge by plait joins the task's result to what was there: then the change is
 * what the result has that was not there before. Null where it cannot be told.
 */
export async function ownChangeOf(
  objects: Objects,
  { commit, parents }: LoggedCommit,
): Promise<OwnChange | null> {
  const [before, result] = parents;
  if (before === undefined) return null;
  if (result === undefined) return { from: before, to: commit };
  const since = await objects.mergeBase(before, result);
  return since === null ? { from: before, to: commit } : { from: since, to: result };
}

/** The commits of a task's own that a merge brought in, the oldest first, and the merge. */
export async function commitsOf(objects: Objects, merge: LoggedCommit): Promise<readonly LoggedCommit[]> {
  const [before, result] = merge.parents;
  if (before === undefined || result === undefined) return [merge];
  const own = (await objects.log({ to: result, not: [before] })) ?? [];
  return [...own.filter(({ parents }) => parents.length < 2).toReversed(), merge];
}
