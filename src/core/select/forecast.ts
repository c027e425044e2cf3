import { attemptMs, attemptTimes, pastMs } from "../attempt-times.ts";
import type { EpochMs, Usage } from "../facts.ts";
import { type Graph, graphOf, criticalPath as longestPath, longestRemaining } from "../graph.ts";
import type { TaskId } from "../ids.ts";
import type { Work } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { isIncluded, isSatisfied, isSettled, listTasks, taskState } from "../run-tasks.ts";
import { estimateLengths, simulate } from "../schedule.ts";
import type { Overview } from "./overview.ts";
import { taskCosts } from "./preview/cost.ts";
import type { TaskRow } from "./task-rows.ts";
import { criticalPath, findMiddle, sum } from "./totals.ts";

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
  const ms = findLargest(coming.map(({ to }) => to - now));
  if (ms <= 0) return null;
  const { graph } = state.index;
  const left = new Array<number>(graph.size).fill(0);
  for (const { i, waitMs, workMs } of coming) left[i] = waitMs + workMs;
  const path = findLargest(longestRemaining(graph, left));
  const shared = sum(coming, ({ workMs }) => workMs) / state.policy.slots;
  const deciding = path >= shared ? longestPath(graph, left).filter((i) => (left[i] ?? 0) > 0) : [];
  return { readyAt: now + ms, leftMs: ms, by: deciding.map((i) => taskAt(state.index, i).id) };
}

const findLargest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);

/** Money and tokens so far, live attempts included, and what it will come to. */
export type Spending = {
  /** Null when nobody has told anything. */
  readonly usd: number | null;
  readonly tokens: number | null;
  /** Null when some task that is left has no figure in the plan. */
  readonly expectedUsd: number | null;
};

export function spending(state: RunState, rows: readonly TaskRow[]): Spending {
  const isTold = rows.some(({ usage }) => usage.costUsd !== null);
  // What tasks spent that are gone from the plan is in the state alone.
  const usd = Math.max(
    sum(rows, ({ usage }) => usage.costUsd ?? 0),
    state.spentUsd,
  );
  const tokens = sum(rows, ({ usage }) => countTokens(usage));
  const left = leftToSpend(state, rows);
  return {
    usd: !isTold && usd === 0 ? null : usd,
    tokens: tokens === 0 ? null : tokens,
    expectedUsd: left === null || left === 0 ? null : usd + left,
  };
}

export const countTokens = ({ inputTokens, outputTokens }: Usage): number =>
  (inputTokens ?? 0) + (outputTokens ?? 0);

function leftToSpend(state: RunState, rows: readonly TaskRow[]): number | null {
  const { plan, indexOf } = state.index;
  const costs = taskCosts(plan, estimateLengths(plan.tasks));
  let left = 0;
  for (const { task, agent, usage } of rows) {
    const i = indexOf.get(task);
    if (agent === null || i === undefined || isSettled(taskState(state, i).phase)) continue;
    const cost = costs[i] ?? null;
    if (cost === null) return null;
    left += Math.max(0, (cost.low + cost.high) / 2 - (usage.costUsd ?? 0));
  }
  return left;
}

/** What its agents may do, in two lengths. Nobody is told of a sandbox that is not there. */
export function accessWords({ index, sandbox }: Pick<RunState, "index" | "sandbox">): {
  readonly long: string;
  readonly short: string;
} {
  const agents = index.plan.tasks.filter(({ work }) => work.kind === "agent");
  if (sandbox?.by != null)
    return {
      long: agents.length === 0 ? "commands in the sandbox" : "agents in the sandbox",
      short: "sandbox",
    };
  if (agents.length === 0) return { long: "commands only, no sandbox", short: "commands only" };
  if (agents.some(({ access, work }) => access === "write" && !isNarrowed(work))) {
    return { long: "agents with full access, no sandbox", short: "full access" };
  }
  return agents.some(({ access }) => access === "write")
    ? { long: "agents with narrowed tools, no sandbox", short: "narrowed tools" }
    : { long: "agents may only read, no sandbox", short: "read only" };
}

const isNarrowed = (work: Work): boolean => work.kind === "agent" && work.tools.allow.length > 0;

/** What is left of one task, and when it would come: the forecast and what a timeline expects are read from this alone. */
export type ComingWork = {
  readonly i: number;
  readonly of: TaskState;
  /** Without a slot: a back-off, a limit, the way through the queue. */
  readonly waitMs: number;
  readonly workMs: number;
  /** How much of the work, or of the way through the queue, is for the gates. */
  readonly gatesMs: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
};

/**
 * When the tasks that are left would run: what is under way goes on, waits end at their time, what is in the queue is merged
 * when its gates are done, and free slots go to the others in the order in which a driver gives them. What a person has to
 * move counts for nothing. Null where nobody knows how long tasks take.
 */
export function comingWork(state: RunState, now: EpochMs): readonly ComingWork[] | null {
  const lengths = expectedLengths(state);
  if (lengths === null || state.ended !== null) return null;
  const left = leftToDo(state, lengths, now);
  const schedule = simulate(
    subgraph(state.index.graph, left),
    left.map(({ workMs }) => workMs),
    {
      slots: Math.max(state.policy.slots, state.indices.liveAttempts, 1),
      attempts: left.map((one) => attemptsOf(state, one)),
      notBefore: left.map(({ waitMs }) => waitMs),
      // What has a slot keeps it.
      priority: left.map(({ i, of }) =>
        of.live.length > 0 ? Number.MAX_VALUE : -(state.index.place[i] ?? 0),
      ),
      ...groupsOf(state, left),
    },
  );
  return left.map((one, n) => ({
    ...one,
    from: now + (isQueued(one) ? 0 : (schedule.start[n] as number)),
    to: now + (schedule.end[n] as number),
  }));
}

/** As long as so few tasks are done, what they took says nothing about the others. */
const ENOUGH_DONE = 3;

/** How long each task is taken to be: as the plan states it, else as long as the middle one of those that are done. */
function expectedLengths(state: RunState): readonly number[] | null {
  const { tasks } = state.index.plan;
  const { unit, lengths } = estimateLengths(tasks);
  if (unit === "ms") return lengths;
  const done = listTasks(state)
    .filter(({ of }) => isSatisfied(of.phase))
    .map(({ of }) => sum(of.past, pastMs));
  const middle = findMiddle(done);
  return done.length < ENOUGH_DONE || middle === undefined ? null : tasks.map(() => middle);
}

type Left = Omit<ComingWork, "from" | "to">;

function leftToDo(state: RunState, lengths: readonly number[], now: EpochMs): Left[] {
  const usual = usualGatesMs(state);
  return listTasks(state).flatMap(({ i, task: { id }, of }): Left[] => {
    const isOver = isSettled(of.phase) || of.phase.kind === "held";
    if (isOver || !isIncluded(state, id)) return [];
    const gatesMs = state.index.checks[i]?.length === 0 ? 0 : usual;
    return [{ i, of, gatesMs, ...leftOf(of, { expected: lengths[i] as number, gatesMs, now }) }];
  });
}

type Figures = { readonly expected: number; readonly gatesMs: number; readonly now: EpochMs };

function leftOf({ phase, live }: TaskState, { expected, gatesMs, now }: Figures) {
  if (phase.kind === "queued") return { waitMs: gatesMs, workMs: 0 };
  if (phase.kind === "backoff" || phase.kind === "parked")
    return { waitMs: Math.max(0, phase.until - now), workMs: expected };
  const [attempt] = live;
  const done = attempt === undefined ? 0 : attemptMs(attempt, now);
  return { waitMs: 0, workMs: Math.max(0, expected - done) };
}

const isQueued = ({ of }: Left): boolean => of.phase.kind === "queued";

/** What is in the queue takes no slot: nobody works on it, but others wait for it. */
function attemptsOf({ index }: RunState, one: Left): number {
  return isQueued(one) ? 0 : Math.max(1, one.of.live.length || taskAt(index, one.i).race);
}

/** Only what is left, and only the needs among it: all others are met, or wait for nobody here. */
function subgraph({ needs }: Graph, left: readonly Left[]): Graph {
  const isLeft = new Set(left.map(({ i }) => i));
  return graphOf(
    left.map(({ i }) => ({
      id: String(i),
      needs: (needs[i] ?? []).filter((need) => isLeft.has(need)).map(String),
    })),
  );
}

function groupsOf({ index }: RunState, left: readonly Left[]) {
  const names = [...index.limitOfGroup.keys()];
  const numbers = new Map(names.map((name, n) => [name, n]));
  return {
    groups: left.map(({ i }) => numbers.get(taskAt(index, i).group ?? ("" as never)) ?? null),
    groupLimits: names.map((name) => index.limitOfGroup.get(name) ?? Number.POSITIVE_INFINITY),
  };
}

/** The middle one of those that were green. */
function usualGatesMs(state: RunState): number {
  const green = listTasks(state).flatMap(({ of }) => of.past.filter(({ failure }) => failure === null));
  return findMiddle(green.map((one) => attemptTimes(one, one.settledAt).gatesMs)) ?? 0;
}

/** The critical path through the whole plan, first to last. */
export type CriticalWay = {
  /** What really decided: of all that a task needed, that which was done last; and when it was. */
  readonly behind: readonly { readonly task: TaskId; readonly doneAt: EpochMs }[];
  /** What decides when the run is ready; nothing once it has ended. */
  readonly ahead: readonly TaskId[];
};

export function criticalWay({ state, forecast }: Pick<Overview, "state" | "forecast">): CriticalWay {
  const ahead = comingTasks(state, forecast);
  const [next] = ahead;
  const behind: { task: TaskId; doneAt: EpochMs }[] = [];
  const { graph, indexOf, plan } = state.index;
  const needed = (i: number): readonly number[] => graph.needs[i] ?? [];
  const candidates = next === undefined ? plan.tasks.keys() : needed(indexOf.get(next) as number);
  let last = findLastDone(state, candidates);
  while (last !== null) {
    behind.unshift({ task: taskAt(state.index, last.i).id, doneAt: last.at });
    last = findLastDone(state, needed(last.i));
  }
  return { behind, ahead };
}

function comingTasks(state: RunState, forecast: Overview["forecast"]): readonly TaskId[] {
  if (state.ended !== null) return [];
  const by = forecast?.by ?? [];
  return by.length > 0 ? by : criticalPath(state);
}

type Done = { readonly i: number; readonly at: EpochMs };

/** The last of those that are done; null where none is. */
function findLastDone(state: RunState, candidates: Iterable<number>): Done | null {
  let found: Done | null = null;
  for (const i of candidates) {
    const { phase } = taskState(state, i);
    if (isSatisfied(phase) && (found === null || phase.at > found.at)) found = { i, at: phase.at };
  }
  return found;
}
