import { attemptMs, pastMs } from "../attempt-times.ts";
import type { EpochMs } from "../facts.ts";
import { criticalPath as longestPath } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState, TaskState } from "../run-state.ts";
import { isSettled, listTasks, taskState } from "../run-tasks.ts";
import { estimateLengths } from "../schedule.ts";
import { dollars, elapsed, factor, listed } from "../text/figures.ts";

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
  const all = listTasks(state);
  const rows = all.map(({ task: { id }, of: { past } }) => ({
    task: id,
    usd: sum(past, ({ ended }) => ended.usage.costUsd ?? 0),
    lostUsd: sum(past, (attempt) => (goesOn(attempt, past) ? 0 : (attempt.ended.usage.costUsd ?? 0))),
  }));
  // Commands and people cost nothing.
  const untold = all.flatMap(({ task: { work }, of: { past } }) =>
    past.flatMap(({ author, ended }) =>
      work.kind === "agent" && author === "agent" && ended.usage.costUsd === null
        ? [{ agent: work.agent.use, failure: ended.failure }]
        : [],
    ),
  );
  // An attempt that failed may have been cut off before it could tell.
  const silent = untold.filter(({ failure }) => failure === null).map(({ agent }) => agent);
  return {
    totalUsd: state.spentUsd,
    lostUsd: sum(rows, (row) => row.lostUsd),
    byTask: rows.filter(({ usd }) => usd > 0),
    isReported:
      state.spentUsd > 0 || all.some(({ of }) => of.past.some(({ ended }) => ended.usage.costUsd !== null)),
    isPartial: untold.length > 0,
    silent: [...new Set(silent)],
  };
}

/** Its work was taken, or a fix round that went on with it was. */
function goesOn({ id, failure }: PastAttempt, past: readonly PastAttempt[]): boolean {
  if (failure === null) return true;
  return past.some((other) => other.continues === id && goesOn(other, past));
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
  const serialMs = sum(listTasks(state), ({ of }) => workMs(of, Math.max(now, state.clock)));
  return { wallMs, serialMs, speedUp: wallMs === 0 || serialMs === 0 ? null : serialMs / wallMs };
}

/** Below these a factor says more about starting processes than about the plan. */
const [LEAST_MS, LEAST_FACTOR] = [60_000, 1.2];

/** `3:25:00 if run serially (3.3x faster)`; null where the comparison means nothing: in short runs, and for factors close to 1. */
export function formatSpeedUp({ wallMs, serialMs, speedUp }: Times): string | null {
  if (speedUp === null || wallMs < LEAST_MS || speedUp < LEAST_FACTOR) return null;
  return `${elapsed(serialMs)} if run serially (${factor(speedUp)} faster)`;
}

/** The tasks that decide the end: the longest way through what is not over, first to last. */
export function criticalPath(state: RunState): TaskId[] {
  const { graph, plan } = state.index;
  const isOver = (i: number): boolean => isSettled(taskState(state, i).phase);
  const { lengths } = estimateLengths(plan.tasks);
  const left = lengths.map((length, i) => (isOver(i) ? 0 : length));
  return longestPath(graph, left)
    .filter((i) => !isOver(i))
    .map((i) => taskAt(state.index, i).id);
}

/** How long a task was worked on, in all its attempts together. */
export function workMs({ past, live }: TaskState, now: EpochMs): number {
  return sum(past, pastMs) + sum(live, (attempt) => attemptMs(attempt, now));
}

/** Undefined where there are none. */
export const findMiddle = (numbers: readonly number[]): number | undefined =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
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
    : `; ${listed(silent)} did not report all of its costs, so the budget cannot be enforced`;
  if (isNothing(totalUsd) && budgetUsd === null) return null;
  return `${leastDollars(cost)}${budgetUsd === null ? "" : ` of ${dollars(budgetUsd)}`}${where}${unheld}`;
}

/** Less than a cent, and so shown as $0.00. */
export const isNothing = (usd: number): boolean => usd < 0.005;

/** `at least $20.18` where an attempt did not report its cost. */
export function leastDollars({ totalUsd, isPartial }: Pick<ToldCost, "totalUsd" | "isPartial">): string {
  return `${isPartial ? "at least " : ""}${dollars(totalUsd)}`;
}

/** A budget counts what agents report, and these report nothing. */
export function budgetWarning(agents: readonly string[], budgetUsd: number): string {
  return `${listed(agents)} ${agents.length === 1 ? "does" : "do"} not report costs, so the budget of ${dollars(budgetUsd)} cannot be enforced`;
}
