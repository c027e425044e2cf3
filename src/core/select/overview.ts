import type { EpochMs } from "../facts.ts";
import type { RunId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { type Forecast, forecast, type Spending, spending } from "./forecast.ts";
import { listNeeds, type Need } from "./needs.ts";
import { countStatuses, type Progress, progress, type StatusCounts, timeShown } from "./progress.ts";
import { findRunStatus, type RunStatus } from "./run-status.ts";
import { type Beside, type TaskRow, taskRows } from "./task-rows.ts";
import type { NextActor } from "./task-status.ts";
import { type Times, times } from "./totals.ts";
import { listWaits, type RunWait } from "./waits.ts";

/** A run at a glance: the figures at the top of every view of it, from one place, and the rows that they were counted from. */
export type Overview = {
  readonly state: RunState;
  readonly now: EpochMs;
  readonly rows: readonly TaskRow[];
  readonly waits: readonly RunWait[];
  readonly progress: Progress;
  readonly counts: StatusCounts;
  readonly needs: readonly Need[];
  /** How many tasks each has to move on; with `you` first, in the order in which people want to know. */
  readonly actors: { readonly [B in NextActor]: number };
  /** Null where nobody can tell, or nobody drives the run. */
  readonly forecast: Forecast | null;
  readonly spending: Spending;
  readonly times: Times;
};

export function overview(state: RunState, now: EpochMs, beside: Beside = {}): Overview {
  const { isRunning = true } = beside;
  const rows = taskRows(state, now, beside);
  return {
    state,
    now,
    rows,
    waits: listWaits(state, now, beside),
    progress: progress(state, { isRunning }),
    counts: countStatuses(rows),
    needs: listNeeds(state, { isRunning: isRunning && state.ended === null }),
    actors: countActors(rows),
    forecast: isRunning ? forecast(state, now) : null,
    spending: spending(state, rows),
    times: times(state, now),
  };
}

/** How many of these each has to move on. */
export function countActors(rows: readonly TaskRow[]): { readonly [B in NextActor]: number } {
  const actors = { you: 0, agents: 0, plait: 0, clock: 0, later: 0, done: 0 };
  for (const { actor } of rows) actors[actor] += 1;
  return actors;
}

/** A run on one line, for lists of runs. Plain JSON. */
export type RunSummary = {
  readonly run: RunId;
  readonly plan: { readonly name: string; readonly path: string; readonly hash: string };
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
  readonly isRunning: boolean;
  readonly landing: RunState["landing"];
  readonly status: RunStatus;
  readonly needsYou: boolean;
  readonly total: number;
  readonly done: number;
  /** Of its tasks, by who moves them next. */
  readonly actors: { readonly [A in NextActor]: number };
  readonly wallMs: number;
  /** Against running the tasks serially; null before anything happened. */
  readonly speedUp: number | null;
  /** Null where no agent reported a cost. */
  readonly usd: number | null;
  /** When it will be ready; null where that is unknown. */
  readonly readyAt: EpochMs | null;
};

export function runSummary(state: RunState, now: EpochMs, isRunning: boolean): RunSummary {
  const at = timeShown(state, now, isRunning);
  const { actors, needs, times, spending, forecast, progress } = overview(state, at, { isRunning });
  const { name, source } = state.index.plan;
  return {
    run: state.run,
    plan: { name, path: source.path, hash: source.hash },
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    isRunning,
    landing: state.landing,
    status: findRunStatus(state, at, isRunning),
    needsYou: needs.length > 0,
    total: progress.total,
    done: progress.done,
    actors,
    wallMs: times.wallMs,
    speedUp: times.speedUp,
    usd: spending.usd,
    readyAt: forecast?.readyAt ?? null,
  };
}
