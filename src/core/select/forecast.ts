import { attemptMs, pastMs } from "../attempt-times.ts";
import type { EpochMs } from "../facts.ts";
import { criticalPath as longestPath, longestRemaining } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Work } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { isSatisfied, isSettled, taskState } from "../run-tasks.ts";
import { estimateLengths } from "../schedule.ts";
import { entries } from "../sorted-map.ts";
import { taskCosts } from "./preview/cost.ts";
import type { TaskRow } from "./task-rows.ts";

/** When a run will be ready, and what decides it. */
export type Forecast = {
  readonly readyAt: EpochMs;
  readonly leftMs: number;
  /** First to last; empty when it is the number of slots that decides. */
  readonly by: readonly TaskId[];
};

/** As long as so few tasks are done, what they took says nothing about the others. */
const ENOUGH_DONE = 3;

/**
 * The longer of two bounds: the longest way through what is left, and all work that is left shared by the slots. No
 * schedule can beat either, a good one comes close to the larger. Null when nobody knows how long tasks take.
 */
export function forecast(state: RunState, now: EpochMs): Forecast | null {
  const expected = expectedLengths(state);
  if (expected === null || state.ended !== null) return null;
  const left = expected.map((ms, i) => leftMs(taskState(state, i), ms, now));
  const { graph, plan } = state.index;
  const path = longestRemaining(graph, left).reduce((most, ms) => Math.max(most, ms), 0);
  const shared = left.reduce((sum, ms) => sum + ms, 0) / state.policy.slots;
  const ms = Math.max(path, shared);
  if (ms <= 0) return null;
  const deciding = path >= shared ? longestPath(graph, left).filter((i) => (left[i] ?? 0) > 0) : [];
  return {
    readyAt: now + ms,
    leftMs: ms,
    by: deciding.map((i) => (plan.tasks[i] as { id: TaskId }).id),
  };
}

/** How long each task is taken to be: as the plan states it, else as long as the middle one of those that are done. */
export function expectedLengths(state: RunState): readonly number[] | null {
  const { tasks } = state.index.plan;
  const { unit, lengths } = estimateLengths(tasks);
  if (unit === "ms") return lengths;
  const done = [...entries(state.tasks)]
    .filter(([, { phase }]) => isSatisfied(phase))
    .map(([, task]) => task.past.reduce((sum, one) => sum + pastMs(one), 0))
    .sort((a, b) => a - b);
  const middle = done[Math.floor(done.length / 2)];
  return done.length < ENOUGH_DONE || middle === undefined ? null : tasks.map(() => middle);
}

function leftMs(task: TaskState, expected: number, now: EpochMs): number {
  const { waitMs, workMs } = workLeft(task, expected, now);
  return waitMs + workMs;
}

/** What one task still has to wait, and then to work. What is in the queue or with a person counts for nothing. */
export function workLeft(
  { phase, live }: TaskState,
  expected: number,
  now: EpochMs,
): { readonly waitMs: number; readonly workMs: number } {
  if (isSettled(phase) || phase.kind === "held" || phase.kind === "queued") return { waitMs: 0, workMs: 0 };
  if (phase.kind === "backoff" || phase.kind === "parked")
    return { waitMs: Math.max(0, phase.until - now), workMs: expected };
  const [attempt] = live;
  const done = attempt === undefined ? 0 : attemptMs(attempt, now);
  return { waitMs: 0, workMs: Math.max(0, expected - done) };
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
