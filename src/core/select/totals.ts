import { attemptMs, pastMs } from "../attempt-times.ts";
import type { EpochMs } from "../facts.ts";
import { criticalPath as longestPath, longestRemaining } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState, TaskState } from "../run-state.ts";
import { isSettled, taskState } from "../run-tasks.ts";
import { estimateLengths } from "../schedule.ts";
import { entries } from "../sorted-map.ts";
import { dollars, listed } from "../text/figures.ts";

/** Time, money and what decides the end. */
export type Cost = {
  readonly totalUsd: number;
  /** Spent on attempts whose work did not go on. */
  readonly lostUsd: number;
  readonly byTask: readonly { readonly task: TaskId; readonly usd: number; readonly lostUsd: number }[];
  /** Whether anybody has told what it cost, be it nothing. */
  readonly isReported: boolean;
  /** Whether some attempt did not say what it cost: then the total is too low. */
  readonly isPartial: boolean;
  /** Agents that ended well and told no cost: no budget can hold them. */
  readonly silent: readonly string[];
};

export function cost(state: RunState): Cost {
  const rows = [...entries(state.tasks)].map(([i, { past }]) => ({
    task: taskAt(state.index, i).id,
    usd: sum(past, ({ ended }) => ended.usage.costUsd ?? 0),
    lostUsd: sum(past, (attempt) => (goesOn(attempt, past) ? 0 : (attempt.ended.usage.costUsd ?? 0))),
  }));
  return {
    totalUsd: state.spentUsd,
    lostUsd: sum(rows, (row) => row.lostUsd),
    byTask: rows.filter(({ usd }) => usd > 0),
    isReported: state.spentUsd > 0 || [...entries(state.tasks)].some(([, { past }]) => past.some(isReported)),
    isPartial: [...entries(state.tasks)].some(([i, task]) => hasUnknownCost(taskAt(state.index, i), task)),
    silent: silentAgents(state),
  };
}

const isReported = ({ ended }: PastAttempt): boolean => ended.usage.costUsd !== null;

/** An attempt that failed may have been cut off before it could tell. */
function silentAgents(state: RunState): string[] {
  const found = new Set<string>();
  for (const [i, { past }] of entries(state.tasks)) {
    const { work } = taskAt(state.index, i);
    if (work.kind !== "agent") continue;
    const isSilent = past.some(
      ({ author, ended }) => author === "agent" && ended.failure === null && ended.usage.costUsd === null,
    );
    if (isSilent) found.add(work.agent.use);
  }
  return [...found];
}

/** Its work was taken, or a fix round that went on with it was. */
function goesOn({ id, failure }: PastAttempt, past: readonly PastAttempt[]): boolean {
  if (failure === null) return true;
  return past.some((other) => other.continues === id && goesOn(other, past));
}

/** Commands cost nothing; an agent that does not say what it cost makes the total too low. */
function hasUnknownCost({ work }: Task, { past }: TaskState): boolean {
  return (
    work.kind === "agent" &&
    past.some(({ author, ended }) => author === "agent" && ended.usage.costUsd === null)
  );
}

/** How long it took, nights without a driver aside, against how long one after another would have taken. */
export type Times = {
  readonly wallMs: number;
  /** The work of all attempts, end to end. */
  readonly serialMs: number;
  /** serial / wall; null before anything happened. */
  readonly speedUp: number | null;
};

export function times(state: RunState, now: EpochMs): Times {
  const until = state.ended?.at ?? Math.max(now, state.clock);
  const wallMs = Math.max(0, until - state.startedAt - state.undrivenMs);
  let serialMs = 0;
  for (const [, task] of entries(state.tasks)) serialMs += workMs(task, Math.max(now, state.clock));
  return { wallMs, serialMs, speedUp: wallMs === 0 || serialMs === 0 ? null : serialMs / wallMs };
}

/** The tasks that decide the end: the longest way through what is not over, first to last. */
export function criticalPath(state: RunState): TaskId[] {
  const { graph, plan } = state.index;
  const lengths = remainingLengths(state);
  return longestPath(graph, lengths)
    .filter((i) => !isSettled(taskState(state, i).phase))
    .map((i) => (plan.tasks[i] as { id: TaskId }).id);
}

/** How much is left on that way; in the unit of the estimates. */
export function remaining(state: RunState): { readonly unit: "ms" | "task"; readonly length: number } {
  const lengths = remainingLengths(state);
  const longest = longestRemaining(state.index.graph, lengths);
  return {
    unit: estimateLengths(state.index.plan.tasks).unit,
    length: longest.reduce((a, b) => Math.max(a, b), 0),
  };
}

/** What is over has no length any more. */
function remainingLengths(state: RunState): number[] {
  const { lengths } = estimateLengths(state.index.plan.tasks);
  return lengths.map((length, i) => (isSettled(taskState(state, i).phase) ? 0 : length));
}

/** How long a task was worked on, in all its attempts together. */
export function workMs({ past, live }: TaskState, now: EpochMs): number {
  return sum(past, pastMs) + sum(live, (attempt) => attemptMs(attempt, now));
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** What a run cost, the same in every view: not reported, at least so much, or so much. */
export type ToldCost = Pick<Cost, "totalUsd" | "isReported" | "isPartial" | "silent">;

/** `at least $20.18 of $40.00`. Null where nothing was spent and there is no budget. `where` names work that did not merge. */
export function costWords(cost: ToldCost, budgetUsd: number | null, where = ""): string | null {
  const { totalUsd, isReported, isPartial, silent } = cost;
  const isHeld = budgetUsd === null || silent.length === 0;
  if (isPartial && !isReported) return `not reported${isHeld ? "" : `; ${budgetWarning(silent, budgetUsd)}`}`;
  const unheld = isHeld
    ? ""
    : `; ${listed(silent)} did not report every cost, so the budget cannot be enforced`;
  if (totalUsd === 0 && !isPartial && budgetUsd === null) return null;
  return `${leastDollars(cost)}${budgetUsd === null ? "" : ` of ${dollars(budgetUsd)}`}${where}${unheld}`;
}

/** `at least $20.18` where an attempt did not report its cost. */
export function leastDollars({ totalUsd, isPartial }: Pick<ToldCost, "totalUsd" | "isPartial">): string {
  return `${isPartial ? "at least " : ""}${dollars(totalUsd)}`;
}

/** A budget counts what agents report, and these report nothing. */
export function budgetWarning(agents: readonly string[], budgetUsd: number): string {
  return `${listed(agents)} ${agents.length === 1 ? "does" : "do"} not report costs, so the budget of ${dollars(budgetUsd)} cannot be enforced`;
}
