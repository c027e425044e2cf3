import type { EpochMs } from "../../facts.ts";
import type { TaskId } from "../../ids.ts";
import { taskState } from "../../run-tasks.ts";
import { criticalWay } from "../critical-way.ts";
import type { Overview } from "../overview.ts";
import type { Expected } from "./expected.ts";

/** One task of the critical path, on the axis of time. */
export type PathStep = {
  readonly task: TaskId;
  /** When the next one could go on, or will. */
  readonly to: EpochMs;
  readonly isExpected: boolean;
};

/** First to last. Where nobody can tell when something begins, the path ends with what is under way. */
export function pathSteps(seen: Overview, expected: ReadonlyMap<TaskId, readonly Expected[]>): PathStep[] {
  const { behind, ahead } = criticalWay(seen);
  const { state, now } = seen;
  const isUnderWay = (task: TaskId) =>
    taskState(state, state.index.indexOf.get(task) as number).live.length > 0;
  const unknown = ahead.findIndex((task) => !expected.has(task) && !isUnderWay(task));
  const coming = unknown < 0 ? ahead : ahead.slice(0, unknown);
  return [
    ...behind.map(({ task, doneAt }) => ({ task, to: doneAt, isExpected: false })),
    ...coming.map((task) => ({ task, to: expected.get(task)?.at(-1)?.to ?? now, isExpected: true })),
  ];
}
