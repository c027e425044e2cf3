import type { EpochMs, RunOutcome } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { isComplete, outcomeOf } from "../landing.ts";
import type { PhaseCounts, RunState } from "../run-state.ts";
import { listTasks } from "../run-tasks.ts";
import { times } from "./totals.ts";

/** How far the run is: the figures that terminal, page, report and status show, from one place. */
export type Progress = {
  readonly total: number;
  /** Merged or passed. */
  readonly done: number;
  readonly phases: PhaseCounts;
  readonly slots: { readonly used: number; readonly of: number };
  readonly spentUsd: number;
  readonly budgetUsd: number | null;
  readonly isComplete: boolean;
  /** How it ended, or how it would if it ended now. */
  readonly outcome: RunOutcome;
  readonly hasEnded: boolean;
  /** Tasks that go on only when a person does something, first in the plan first. */
  readonly needsYou: readonly TaskId[];
};

/** Where nobody drives the run, no slot is in use, whatever its last driver had begun. */
export function progress(state: RunState, { isRunning = true } = {}): Progress {
  const { phases, liveAttempts, done } = state.indices;
  return {
    total: state.selected?.size ?? state.index.plan.tasks.length,
    done,
    phases,
    slots: { used: isRunning ? liveAttempts : 0, of: state.policy.slots },
    spentUsd: state.spentUsd,
    budgetUsd: state.policy.budgetUsd,
    isComplete: isComplete(state),
    outcome: state.ended?.outcome ?? outcomeOf(state),
    hasEnded: state.ended !== null,
    needsYou: listNeedingYou(state),
  };
}

function listNeedingYou(state: RunState): TaskId[] {
  const { failed, held } = state.indices.phases;
  if (failed + held === 0) return [];
  const stuck = listTasks(state).filter(
    ({ of: { phase } }) => phase.kind === "failed" || phase.kind === "held",
  );
  return stuck.map(({ task }) => task.id);
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
  const { total, done: succeeded, phases } = progress(state);
  const { failed } = phases;
  // Those that did not come to an end of their own: they need a failed task, were dropped or not reached.
  const skipped = total - succeeded - failed;
  return { total, succeeded, failed, skipped, durationMs: times(state, state.clock).wallMs };
}
