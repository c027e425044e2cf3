import type { AttemptFailure } from "../failure.ts";
import type { TaskId } from "../ids.ts";
import type { TimeLimits } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

/** A task that failed for good, or did not pass when a person handed it in, with what is needed to say why. */
export type FailedTask = {
  readonly task: TaskId;
  readonly failure: AttemptFailure;
  readonly limits: TimeLimits;
  readonly of: TaskState;
};

/** In the order of the plan. */
export function failedTasks(state: RunState): FailedTask[] {
  const { failed, held } = state.indices.phases;
  if (failed + held === 0) return [];
  return [...entries(state.tasks)].flatMap(([i, of]): FailedTask[] => {
    const failure = of.phase.kind === "failed" ? of.phase.failure : notPassed(of);
    const { id, limits } = taskAt(state.index, i);
    return failure === null ? [] : [{ task: id, failure, limits, of }];
  });
}

/** What an agent failed with was told before the person took it over. */
function notPassed({ open, past }: TaskState): AttemptFailure | null {
  return past.at(-1)?.author === "person" ? (open?.after?.because ?? null) : null;
}
