import { failedNeed } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { changeTask, isSelected, taskState } from "../run-tasks.ts";

/** What one task's fate does to the tasks that need it, directly or through others. */

/** It merged or passed: one need less. */
export function satisfyDependents(state: RunState, i: number): RunState {
  return shiftUnmet(state, i, -1);
}

/** What was merged is to be done again: one need more. */
export function unsatisfyDependents(state: RunState, i: number): RunState {
  return shiftUnmet(state, i, 1);
}

function shiftUnmet(state: RunState, i: number, change: number): RunState {
  let next = state;
  for (const dependent of dependentsOf(state, i)) {
    next = changeTask(next, dependent, { unmet: taskState(next, dependent).unmet + change });
  }
  return next;
}

/** It failed or was cancelled: whatever still waits behind it is skipped, each with the need that is its reason. */
export function skipDependents(state: RunState, i: number): RunState {
  let next = state;
  const spread = [i];
  for (let from = spread.pop(); from !== undefined; from = spread.pop()) {
    for (const dependent of dependentsOf(state, from)) {
      if (!canBeSkipped(taskState(next, dependent).phase)) continue;
      const because = taskAt(state.index, from).id;
      next = changeTask(next, dependent, { phase: { kind: "skipped", because } });
      spread.push(dependent);
    }
  }
  return next;
}

/** It is tried again: what was skipped for its sake waits again, unless another need still stands in the way. */
export function unskipDependents(state: RunState, i: number): RunState {
  let next = state;
  const spread = [i];
  for (let from = spread.shift(); from !== undefined; from = spread.shift()) {
    for (const dependent of dependentsOf(state, from)) {
      const { phase: was } = taskState(next, dependent);
      if (was.kind !== "skipped") continue;
      if (!isSelected(state, taskAt(state.index, dependent).id)) continue;
      const obstacle = failedNeed(next, dependent);
      if (obstacle !== null && obstacle === was.because) continue; // nothing is new for whoever watches
      const phase: TaskPhase =
        obstacle === null ? { kind: "waiting" } : { kind: "skipped", because: obstacle };
      next = changeTask(next, dependent, { phase });
      if (obstacle === null) spread.push(dependent);
    }
  }
  return next;
}

/** Back from an attempt that began before a need was taken away: it cannot start again, so it is skipped like others. */
export function skipIfHopeless(state: RunState, i: number): RunState {
  const { phase, unmet } = taskState(state, i);
  const because = unmet > 0 && canBeSkipped(phase) ? failedNeed(state, i) : null;
  if (because === null) return state;
  return skipDependents(changeTask(state, i, { phase: { kind: "skipped", because }, fix: null }), i);
}

/** Tasks behind an unmet need have no attempt of their own yet, or wait for one after a redo. */
function canBeSkipped(phase: TaskPhase): boolean {
  return (
    phase.kind === "waiting" || phase.kind === "backoff" || phase.kind === "parked" || phase.kind === "held"
  );
}

function dependentsOf(state: RunState, i: number): readonly number[] {
  return state.index.graph.dependents[i] ?? [];
}
