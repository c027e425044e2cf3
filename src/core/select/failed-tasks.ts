import type { AttemptFailure } from "../failure.ts";
import type { TaskId } from "../ids.ts";
import type { TimeLimits } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

/** A task that failed for good, with what is needed to say why. */
export type FailedTask = {
  readonly task: TaskId;
  readonly failure: AttemptFailure;
  readonly limits: TimeLimits;
  readonly of: TaskState;
};

/** In the order of the plan. */
export function failedTasks(state: RunState): FailedTask[] {
  if (state.indices.phases.failed === 0) return [];
  return [...entries(state.tasks)].flatMap(([i, of]): FailedTask[] => {
    if (of.phase.kind !== "failed") return [];
    const { id, limits } = taskAt(state.index, i);
    return [{ task: id, failure: of.phase.failure, limits, of }];
  });
}
