import type { MergedAttempt, Revision } from "./facts.ts";
import type { Oid, TaskId } from "./ids.ts";
import type { Published } from "./landing-types.ts";
import type { Plan } from "./plan.ts";
import type { RunState } from "./run-state.ts";
import { findTask } from "./run-tasks.ts";

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

/** The commit of each task on the branches that others see once this landing is published; those of the integration branch are left out. */
export function listPublishedCommits(state: RunState): readonly MergedAttempt[] {
  const { landing } = state;
  if (landing.kind === "landed") return landing.commits ?? [];
  if (landing.kind !== "built") return [];
  if (landing.stack === undefined) return landing.commits ?? [];
  return landing.stack.flatMap(({ task, result: { commit } }): MergedAttempt[] => {
    const phase = findTask(state, task)?.phase;
    return phase?.kind === "merged" ? [{ task, attempt: phase.attempt, commit }] : [];
  });
}

/** The run as its pull requests show it, just before they are opened. */
export function assumePublished(state: RunState): RunState {
  const published: Published = {
    ...{ kind: "published", commit: state.tip.commit, remote: "", branch: "", url: null },
    ...{ pullRequests: [], commits: listPublishedCommits(state) },
  };
  return { ...state, published };
}

/** The branches of these pull requests, each with its commit. */
export function listPushed(
  { landing }: RunState,
  { commit, pullRequests }: { readonly commit: Oid; readonly pullRequests: readonly PullRequest[] },
): PushedBranch[] {
  const steps = landing.kind === "built" ? (landing.stack ?? []) : [];
  return pullRequests.flatMap(({ task, branch }): PushedBranch[] => {
    const one = task === null ? commit : steps.find((step) => step.task === task)?.result.commit;
    return one === undefined ? [] : [{ branch, commit: one }];
  });
}

/**
 * Tasks that are connected by `needs`, over any number of tasks, become one stack; the others can be reviewed and merged apart. A pull
 * request has one base, so each stack is a line in the order of merging.
 */
export function groupByNeeds({ tasks }: Pick<Plan, "tasks">): (task: TaskId) => TaskId {
  const parent = new Map<TaskId, TaskId>();
  const find = (task: TaskId): TaskId => {
    let root = task;
    for (let up = parent.get(root); up !== undefined; up = parent.get(root)) root = up;
    return root;
  };
  for (const { id, needs } of tasks) {
    for (const need of needs) {
      const [a, b] = [find(id), find(need)];
      if (a !== b) parent.set(a, b);
    }
  }
  return find;
}

/** The steps that nothing is stacked on: each has all of its stack. */
export function findStackTops(stack: readonly StackStep[]): StackStep[] {
  const below = new Set(stack.flatMap(({ on }) => on ?? []));
  return stack.filter(({ task }) => !below.has(task));
}

/** The stack that a step is part of, the lowest first. */
export function findStackOf(stack: readonly StackStep[], step: StackStep): StackStep[] {
  const byTask = new Map(stack.map((one) => [one.task, one]));
  const root = ({ task, on }: StackStep): TaskId => {
    const below = on === null ? undefined : byTask.get(on);
    return below === undefined ? task : root(below);
  };
  return stack.filter((one) => root(one) === root(step));
}
