import type { RunOutcome } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { isComplete } from "../landing.ts";
import { outcomeOf } from "../outcome.ts";
import { taskAt } from "../run-index.ts";
import type { PhaseCounts, RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

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
  readonly needYou: readonly TaskId[];
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
    needYou: needYou(state),
  };
}

function needYou(state: RunState): TaskId[] {
  const { failed, held } = state.indices.phases;
  if (failed + held === 0) return [];
  const ids: TaskId[] = [];
  for (const [i, { phase }] of entries(state.tasks)) {
    if (phase.kind === "failed" || phase.kind === "held") ids.push(taskAt(state.index, i).id);
  }
  return ids;
}
