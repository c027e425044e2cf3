import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { isSatisfied, isSelected } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { times } from "./totals.ts";

/** A run in figures, each task in one of three. What an earlier driver did counts like the rest. */
export type EndFigures = {
  readonly total: number;
  /** Merged or passed. */
  readonly succeeded: number;
  readonly failed: number;
  /** All that did not come to an end of its own: what needs a failed task, was given up, was not reached. */
  readonly skipped: number;
  readonly durationMs: number;
};

export function endFigures(state: RunState): EndFigures {
  let [succeeded, failed, skipped] = [0, 0, 0];
  for (const [i, { phase }] of entries(state.tasks)) {
    const { id } = taskAt(state.index, i);
    if (!isSelected(state, id) || state.gone.has(id)) continue;
    if (isSatisfied(phase)) succeeded += 1;
    else if (phase.kind === "failed") failed += 1;
    else skipped += 1;
  }
  const total = succeeded + failed + skipped;
  return { total, succeeded, failed, skipped, durationMs: times(state, state.clock).wallMs };
}
