import type { EpochMs } from "../facts.ts";
import type { RunState } from "../run-state.ts";
import type { TaskRow } from "./task-rows.ts";
import { STATUS_KINDS, type StatusKind } from "./task-status.ts";
import { times } from "./totals.ts";

/** How far the run is: the figures that terminal, web UI, report and status show, from one place. */
export type Progress = {
  readonly total: number;
  /** Merged or passed. */
  readonly done: number;
  readonly slots: { readonly used: number; readonly of: number };
  readonly spentUsd: number;
  readonly budgetUsd: number | null;
};

/** No slot of an interrupted run is in use, whatever its last process had begun. */
export function progress(state: RunState, { isRunning = true } = {}): Progress {
  const { liveAttempts, done } = state.indices;
  return {
    total: state.selected?.size ?? state.index.plan.tasks.length,
    done,
    slots: { used: isRunning ? liveAttempts : 0, of: state.policy.slots },
    spentUsd: state.spentUsd,
    budgetUsd: state.policy.budgetUsd,
  };
}

export type StatusCounts = { readonly [K in StatusKind]: number };

export function countStatuses(rows: readonly Pick<TaskRow, "status">[]): StatusCounts {
  const counts = Object.fromEntries(STATUS_KINDS.map((kind) => [kind, 0])) as { [K in StatusKind]: number };
  for (const { status } of rows) counts[status.kind] += 1;
  return counts;
}

/**
 * The moment at which a run is shown. Where nobody drives it, time stands where its last driver left it; and a clock that
 * was set back does not lead back before what has happened.
 */
export function timeShown({ clock }: Pick<RunState, "clock">, now: EpochMs, isRunning: boolean): EpochMs {
  return isRunning ? Math.max(clock, now) : clock;
}

/** A run in figures, each task in one of three. What an earlier driver did counts like the rest. */
export function endFigures(state: RunState) {
  const { total, done: succeeded } = progress(state);
  const { failed } = state.indices.phases;
  // Those that did not come to an end of their own: they need a failed task, were dropped or not reached.
  const skipped = total - succeeded - failed;
  return { total, succeeded, failed, skipped, durationMs: times(state, state.clock).wallMs };
}
