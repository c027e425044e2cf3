import type { EpochMs } from "../facts.ts";
import { criticalPath as longestPath, longestRemaining } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Work } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { isSettled, taskState } from "../run-tasks.ts";
import { estimateLengths } from "../schedule.ts";
import { entries } from "../sorted-map.ts";
import { comingWork } from "./coming-work.ts";
import { taskCosts } from "./preview/cost.ts";
import type { TaskRow } from "./task-rows.ts";

/** When a run will be ready, and what decides it. */
export type Forecast = {
  readonly readyAt: EpochMs;
  readonly leftMs: number;
  /** First to last; empty when it is the number of slots that decides. */
  readonly by: readonly TaskId[];
};

/**
 * Ready when the last of what is left would be. It is the longest way through what is left that decides, unless the slots
 * could not do all work in that time. Null when nobody knows how long tasks take.
 */
export function forecast(state: RunState, now: EpochMs): Forecast | null {
  const coming = comingWork(state, now);
  if (coming === null) return null;
  const ms = coming.reduce((most, { to }) => Math.max(most, to - now), 0);
  if (ms <= 0) return null;
  const { graph, plan } = state.index;
  const left = new Array<number>(graph.size).fill(0);
  for (const { i, waitMs, workMs } of coming) left[i] = waitMs + workMs;
  const path = longestRemaining(graph, left).reduce((most, length) => Math.max(most, length), 0);
  const shared = coming.reduce((sum, { workMs }) => sum + workMs, 0) / state.policy.slots;
  const deciding = path >= shared ? longestPath(graph, left).filter((i) => (left[i] ?? 0) > 0) : [];
  return {
    readyAt: now + ms,
    leftMs: ms,
    by: deciding.map((i) => (plan.tasks[i] as { id: TaskId }).id),
  };
}

/** Money and tokens so far, live attempts included, and what it will come to. */
export type Spending = {
  /** Null when nobody has told anything. */
  readonly usd: number | null;
  readonly tokens: number | null;
  /** Null when some task that is left has no figure in the plan. */
  readonly expectedUsd: number | null;
};

export function spending(state: RunState, rows: readonly TaskRow[]): Spending {
  const told = rows.flatMap(({ usage }) => (usage.costUsd === null ? [] : [usage.costUsd]));
  // What tasks spent that are gone from the plan is in the state alone.
  const usd = Math.max(
    told.reduce((sum, value) => sum + value, 0),
    state.spentUsd,
  );
  const counted = rows.flatMap(({ usage }) => [usage.inputTokens, usage.outputTokens]);
  const tokens = counted.filter((value) => value !== null).reduce((sum, value) => sum + value, 0);
  const left = leftToSpend(state, rows);
  return {
    usd: told.length === 0 && usd === 0 ? null : usd,
    tokens: tokens === 0 ? null : tokens,
    expectedUsd: left === null || left === 0 ? null : usd + left,
  };
}

function leftToSpend(state: RunState, rows: readonly TaskRow[]): number | null {
  const { plan, indexOf } = state.index;
  const costs = taskCosts(plan, estimateLengths(plan.tasks));
  let sum = 0;
  for (const { task, agent, usage } of rows) {
    const i = indexOf.get(task);
    if (agent === null || i === undefined || isSettled(taskState(state, i).phase)) continue;
    const cost = costs[i] ?? null;
    if (cost === null) return null;
    sum += Math.max(0, (cost.low + cost.high) / 2 - (usage.costUsd ?? 0));
  }
  return sum;
}

/** What its agents may do, in two lengths. plait has no sandbox, so nobody is told that there is one. */
export function accessWords(state: RunState): { readonly long: string; readonly short: string } {
  const agents = [...entries(state.tasks)]
    .map(([i]) => taskAt(state.index, i))
    .filter(({ work }) => work.kind === "agent");
  if (agents.length === 0) return { long: "commands only, no sandbox", short: "commands only" };
  if (agents.some(({ access, work }) => access === "write" && !isNarrowed(work))) {
    return { long: "agents with full access, no sandbox", short: "full access" };
  }
  return agents.some(({ access }) => access === "write")
    ? { long: "agents with narrowed tools, no sandbox", short: "narrowed tools" }
    : { long: "agents may only read, no sandbox", short: "read only" };
}

const isNarrowed = (work: Work): boolean => work.kind === "agent" && work.tools.allow.length > 0;
