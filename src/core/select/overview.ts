import type { EpochMs } from "../facts.ts";
import type { RunState } from "../run-state.ts";
import { type Forecast, forecast, type Spending, spending } from "./forecast.ts";
import { type Progress, progress } from "./progress.ts";
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
