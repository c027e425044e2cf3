import { evolve } from "../../evolve.ts";
import type { Fact } from "../../facts.ts";
import type { TaskId } from "../../ids.ts";
import { taskAt } from "../../run-index.ts";
import type { RunState } from "../../run-state.ts";
import { taskState } from "../../run-tasks.ts";
import { get, type SortedMap, set } from "../../sorted-map.ts";
import { changedTasks } from "../task-lists.ts";
import { type Gap, withGap } from "./segment.ts";
import { NOTHING_RECORDED, recordTask, type TaskRecord } from "./task-record.ts";

/**
 * What a state forgets and a timeline shows: waits that are over, turns in the queue, tasks that were reopened, the time
 * nobody drove. A second fold beside `evolve`: it compares the states around each fact, so an echo leaves no trace here
 * either. Records share their structure like states, so any number of them along the way may be kept.
 */
export type TimelineRecord = {
  /** By id: a revised plan gives tasks other indices. */
  readonly tasks: SortedMap<string, TaskRecord>;
  /** First to last. */
  readonly gaps: readonly Gap[];
};

const NO_RECORD: TimelineRecord = { tasks: null, gaps: [] };

/** A run as far as its facts are read. */
export type RecordedRun = { readonly state: RunState | null; readonly record: TimelineRecord };

export const NOT_STARTED: RecordedRun = { state: null, record: NO_RECORD };

export function recordFacts(facts: Iterable<Fact>): TimelineRecord {
  let run = NOT_STARTED;
  for (const fact of facts) run = recordFact(run, fact);
  return run.record;
}

export function recordFact({ state: before, record }: RecordedRun, fact: Fact): RecordedRun {
  const after = evolve(before, fact);
  if (after === null || after === before) return { state: after, record };
  const gaps = withGap(record.gaps, fact, before);
  let { tasks } = record;
  const head = headOf(after);
  for (const i of tasksToCompare(before, after)) {
    const task = taskAt(after.index, i);
    const j = before?.index.indexOf.get(task.id);
    const was = before === null || j === undefined ? null : taskState(before, j);
    const change = { task, was, is: taskState(after, i), at: fact.at, gaps, isInHead: head.has(task.id) };
    const old = get(tasks, task.id as string) ?? NOTHING_RECORDED;
    const next = recordTask(old, change);
    if (next !== old) tasks = set(tasks, task.id as string, next);
  }
  return { state: after, record: { tasks, gaps } };
}

/** Those that changed, and those whose turn in the queue came or went. */
function tasksToCompare(before: RunState | null, after: RunState): Iterable<number> {
  if (before === null) return after.index.plan.tasks.keys();
  const changed = changedTasks(before, after);
  if (before.candidates === after.candidates) return changed;
  const turns = [...headOf(before), ...headOf(after)].flatMap((id) => after.index.indexOf.get(id) ?? []);
  return new Set([...changed, ...turns]);
}

function headOf({ candidates }: RunState): ReadonlySet<TaskId> {
  return new Set(candidates[0]?.tasks.map(({ task }) => task));
}
