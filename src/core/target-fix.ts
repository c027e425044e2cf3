import type { Revision } from "./facts.ts";
import type { TaskId } from "./ids.ts";
import type { RunState } from "./run-state.ts";

/** Whether the task fits the run's work to a target that moved: its own work is merged already. */
export function isTargetFix({ targetFix }: RunState, task: TaskId): boolean {
  return targetFix?.task === task;
}

/** The branch as people name it. */
export function formatTargetName({ target }: RunState): string {
  return target?.replace(/^refs\/heads\//, "") ?? "the target branch";
}

/** Where that work begins: the join of the tip and the target. Null once the tip is another one. */
export function findTargetBase({ targetFix, tip }: RunState, task: TaskId): Revision | null {
  return targetFix?.task === task && targetFix.tip === tip.commit ? targetFix.join.result : null;
}
