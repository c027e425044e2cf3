import type { EpochMs } from "../facts.ts";
import type { RunId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { listNeeds } from "./needs.ts";
import { overview } from "./overview.ts";
import { timeShown } from "./progress.ts";
import { findRunStatus, type RunStatus } from "./run-status.ts";
import type { NextActor } from "./task-status.ts";

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
  const { actors, times, spending, forecast, progress } = overview(state, at, { isRunning });
  const { name, source } = state.index.plan;
  return {
    run: state.run,
    plan: { name, path: source.path, hash: source.hash },
    startedAt: state.startedAt,
    endedAt: state.ended?.at ?? null,
    isRunning,
    landing: state.landing,
    status: findRunStatus(state, at, isRunning),
    needsYou: listNeeds(state, { isRunning: isRunning && state.ended === null }).length > 0,
    total: progress.total,
    done: progress.done,
    actors,
    wallMs: times.wallMs,
    speedUp: times.speedUp,
    usd: spending.usd,
    readyAt: forecast?.readyAt ?? null,
  };
}
