import type { EpochMs } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { listTasks, taskState } from "../run-tasks.ts";
import { listed } from "../text/figures.ts";
import { countTokens } from "./forecast.ts";
import type { Overview } from "./overview.ts";
import type { TaskRow } from "./task-rows.ts";
import { cutByGaps, type Gap } from "./timeline/segment.ts";
import { cost, leastDollars, sum } from "./totals.ts";

/** Where the money goes: over time, by task, by agent; and how much of it bought nothing that was merged. */
export type CostFigures = {
  /** From the start to now; the money of an attempt is spread evenly over its time, since it is told at its end. */
  readonly spent: readonly SpentPoint[];
  /** Null when nobody has told anything. */
  readonly usd: number | null;
  /** The same in words, `at least $20.18`. */
  readonly total: string;
  readonly tokens: number | null;
  readonly budgetUsd: number | null;
  /** Null where nobody can tell. */
  readonly expected: { readonly at: EpochMs; readonly usd: number } | null;
  /** What attempts cost whose work was retried or failed. */
  readonly lostUsd: number;
  /** Dearest first. */
  readonly byTask: readonly TaskCost[];
  /** What there is to say where no task has a cost. */
  readonly noTask: string;
  readonly byAgent: readonly AgentCost[];
  /** One sentence for each reason to trust the figures less. */
  readonly remarks: readonly string[];
};

export type SpentPoint = { readonly at: EpochMs; readonly usd: number };

export type TaskCost = {
  readonly row: TaskRow;
  readonly usd: number;
  readonly lostUsd: number;
  readonly tokens: number;
};

export type AgentCost = {
  readonly agent: string;
  /** Those that it has begun. */
  readonly tasks: number;
  readonly tokens: number;
  /** Null when it has told nothing. */
  readonly usd: number | null;
  readonly lostUsd: number;
};

/** Nobody spends anything in the gaps. */
export function costFigures(seen: Overview, gaps: readonly Gap[] = []): CostFigures {
  const { state, spending, progress, forecast, now } = seen;
  const { byTask: lost, lostUsd, isPartial, silent } = cost(state);
  const lostOf = new Map(lost.map((one) => [one.task, one.lostUsd]));
  const byTask = taskCosts(seen.rows, lostOf);
  const isOver = forecast === null || spending.expectedUsd === null;
  return {
    total: spending.usd === null ? "–" : leastDollars({ totalUsd: spending.usd, isPartial }),
    ...{ usd: spending.usd, tokens: spending.tokens, budgetUsd: progress.budgetUsd, lostUsd, byTask },
    noTask: isPartial ? "No task reported a cost." : "Nothing spent yet.",
    spent: spentOverTime(spans(state, byTask, now), {
      ...{ from: state.startedAt, now: state.ended?.at ?? now, usd: spending.usd ?? 0, gaps },
    }),
    expected: isOver ? null : { at: Math.max(now, forecast.readyAt), usd: spending.expectedUsd },
    byAgent: agentCosts(seen.rows, lostOf),
    remarks: remarksOn(isPartial, silent, spending.usd),
  };
}

function taskCosts(rows: readonly TaskRow[], lostOf: ReadonlyMap<TaskId, number>): TaskCost[] {
  return rows
    .map((row) => ({
      row,
      usd: row.usage.costUsd ?? 0,
      lostUsd: lostOf.get(row.task) ?? 0,
      tokens: countTokens(row.usage),
    }))
    .filter(({ usd, tokens }) => usd > 0 || tokens > 0)
    .sort((a, b) => b.usd - a.usd || b.tokens - a.tokens);
}

function agentCosts(rows: readonly TaskRow[], lostOf: ReadonlyMap<TaskId, number>): AgentCost[] {
  const found = new Map<string, AgentCost>();
  for (const row of rows) {
    if (row.agent === null || row.attempts === 0) continue;
    const { use: agent } = row.agent;
    const before = found.get(agent) ?? { agent, tasks: 0, tokens: 0, usd: null, lostUsd: 0 };
    found.set(agent, {
      agent,
      tasks: before.tasks + 1,
      tokens: before.tokens + countTokens(row.usage),
      usd: row.usage.costUsd === null ? before.usd : (before.usd ?? 0) + row.usage.costUsd,
      lostUsd: before.lostUsd + (lostOf.get(row.task) ?? 0),
    });
  }
  return [...found.values()].sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0));
}

function remarksOn(isPartial: boolean, silent: readonly string[], usd: number | null): string[] {
  if (usd === null && isPartial) return ["No agent reported costs, so the budget cannot be enforced."];
  const low = isPartial ? ["Some attempts did not report a cost, so the total is too low."] : [];
  if (silent.length === 0) return low;
  return [...low, `${listed(silent)} did not report all of its costs, so the budget cannot be enforced.`];
}

type Known = {
  readonly from: EpochMs;
  readonly now: EpochMs;
  /** All that is known to be spent by then. */
  readonly usd: number;
  readonly gaps: readonly Gap[];
};

/** The sum of straight lines, one for each attempt, over the time that it worked. */
function spentOverTime(spans: readonly CostSpan[], { from: start, now, usd, gaps }: Known): SpentPoint[] {
  const changes = new Map<EpochMs, { perMs: number; jump: number }>();
  const change = (at: EpochMs) => {
    const known = changes.get(at) ?? { perMs: 0, jump: 0 };
    changes.set(at, known);
    return known;
  };
  for (const { from, to, usd: cost } of spans) {
    const pieces = cutByGaps({ from, to }, gaps);
    const ms = sum(pieces, (piece) => piece.to - piece.from);
    if (ms === 0) change(to).jump += cost;
    for (const worked of ms === 0 ? [] : pieces) {
      change(worked.from).perMs += cost / ms;
      change(worked.to).perMs -= cost / ms;
    }
  }
  const points: SpentPoint[] = [{ at: start, usd: 0 }];
  let [at, spent, perMs] = [start, 0, 0];
  for (const [moment, { perMs: by, jump }] of [...changes].sort(([a], [b]) => a - b)) {
    spent += perMs * (moment - at) + jump;
    [at, perMs] = [moment, perMs + by];
    points.push({ at, usd: spent });
  }
  // What was spent on tasks that have left the plan is known as a sum only.
  return [...points, { at: Math.max(at, now), usd: Math.max(spent, usd) }];
}

type CostSpan = { readonly from: EpochMs; readonly to: EpochMs; readonly usd: number };

function spans(state: RunState, byTask: readonly TaskCost[], now: EpochMs): CostSpan[] {
  const past = listTasks(state).flatMap(({ of }) =>
    of.past.map(({ startedAt, ended }) => ({ from: startedAt, to: ended.at, usd: ended.usage.costUsd ?? 0 })),
  );
  const live = byTask.flatMap(({ row, usd }) => liveSpan(state, row, usd, now));
  return [...past, ...live].filter(({ usd }) => usd > 0);
}

/** What the attempts under way have told, together. */
function liveSpan(state: RunState, { task }: TaskRow, usd: number, now: EpochMs): CostSpan[] {
  const { past, live } = taskState(state, state.index.indexOf.get(task) as number);
  const [first] = live;
  const before = sum(past, ({ ended }) => ended.usage.costUsd ?? 0);
  return first === undefined ? [] : [{ from: first.startedAt, to: now, usd: usd - before }];
}
