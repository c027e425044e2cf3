import type { EpochMs } from "../../facts.ts";
import type { TaskId } from "../../ids.ts";
import { isSatisfied, taskState } from "../../run-tasks.ts";
import type { Overview } from "../overview.ts";
import { criticalPath } from "../totals.ts";
import type { Expected } from "./expected.ts";
import type { TaskRecord } from "./task-record.ts";

/** One task of the way that decides how long the run takes. */
export type PathStep = {
  readonly task: TaskId;
  /** When the next one could go on, or will. */
  readonly to: EpochMs;
  readonly isExpected: boolean;
};

export type PathSources = {
  readonly seen: Overview;
  readonly recordOf: (task: TaskId) => TaskRecord | undefined;
  readonly expected: ReadonlyMap<TaskId, readonly Expected[]>;
};

/**
 * First to last. The past is what really decided: from the task that the rest waits for, back to whichever need was done
 * last, and so on. The future is the estimate.
 */
export function decidingPath(sources: PathSources): PathStep[] {
  const { seen, expected, recordOf } = sources;
  const future = comingTasks(sources);
  const head = future[0] ?? lastDone(sources);
  if (head === null) return [];
  const past = cameBefore(sources, head);
  const done = future.length === 0 ? [...past, head] : past;
  return [
    ...done.map((task) => ({ task, to: doneAt(recordOf(task)), isExpected: false })),
    ...future.map((task) => ({
      task,
      to: expected.get(task)?.at(-1)?.to ?? seen.now,
      isExpected: true,
    })),
  ];
}

/** Where nobody can tell when something begins, the path ends with what is under way. */
function comingTasks({ seen, expected }: PathSources): TaskId[] {
  if (seen.state.ended !== null) return [];
  const by = seen.forecast?.by ?? [];
  const path = by.length > 0 ? by : criticalPath(seen.state);
  const isKnown = (task: TaskId) => expected.has(task) || taskOf(seen, task).live.length > 0;
  const unknown = path.findIndex((task) => !isKnown(task));
  return unknown < 0 ? [...path] : path.slice(0, unknown);
}

function cameBefore({ seen, recordOf }: PathSources, head: TaskId): TaskId[] {
  const { index } = seen.state;
  const path: TaskId[] = [];
  for (let task: TaskId | null = head; task !== null; ) {
    const needs: readonly number[] = index.graph.needs[index.indexOf.get(task) as number] ?? [];
    let last: TaskId | null = null;
    for (const need of needs) {
      const id = index.plan.tasks[need]?.id as TaskId;
      if (!isSatisfied(taskState(seen.state, need).phase)) continue;
      if (last === null || doneAt(recordOf(id)) > doneAt(recordOf(last))) last = id;
    }
    if (last !== null) path.unshift(last);
    task = last;
  }
  return path;
}

function lastDone({ seen, recordOf }: PathSources): TaskId | null {
  let last: TaskId | null = null;
  for (const { task, ball } of seen.rows) {
    if (ball !== "done") continue;
    if (last === null || doneAt(recordOf(task)) > doneAt(recordOf(last))) last = task;
  }
  return last;
}

const doneAt = (record: TaskRecord | undefined): EpochMs => record?.ends.at(-1)?.at ?? 0;

const taskOf = ({ state }: Overview, task: TaskId) =>
  taskState(state, state.index.indexOf.get(task) as number);
