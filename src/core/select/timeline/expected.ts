import { attemptTimes } from "../../attempt-times.ts";
import type { EpochMs } from "../../facts.ts";
import { type Graph, graphOf } from "../../graph.ts";
import type { TaskId } from "../../ids.ts";
import { taskAt } from "../../run-index.ts";
import type { RunState, TaskState } from "../../run-state.ts";
import { isSelected, isSettled, taskState } from "../../run-tasks.ts";
import { simulate } from "../../schedule.ts";
import { entries } from "../../sorted-map.ts";
import { expectedLengths, workLeft } from "../forecast.ts";

/** What is still to come of a task, as far as the estimates are right. */
export type Expected = {
  readonly kind: "agent" | "gates" | "merge";
  readonly from: EpochMs;
  readonly to: EpochMs;
};

/**
 * When the tasks that are left would run: what is under way goes on, waits end at their time, and free slots go to the
 * others in the order in which a driver gives them. By the same figures as the forecast. Empty where nobody knows how long tasks take.
 */
export function expectedOf(state: RunState, now: EpochMs): ReadonlyMap<TaskId, readonly Expected[]> {
  const lengths = expectedLengths(state);
  if (lengths === null || state.ended !== null) return new Map();
  const gatesMs = usualGatesMs(state);
  const left = leftToDo(state, lengths, now);
  const schedule = simulate(
    subgraph(state.index.graph, left),
    left.map(({ workMs }) => workMs),
    {
      slots: Math.max(state.policy.slots, state.indices.liveAttempts, 1),
      attempts: left.map(({ i, of }) => Math.max(1, of.live.length || taskAt(state.index, i).race)),
      notBefore: left.map(({ waitMs }) => waitMs),
      // What has a slot keeps it.
      priority: left.map(({ i, of }) =>
        of.live.length > 0 ? Number.MAX_VALUE : -(state.index.place[i] ?? 0),
      ),
      ...groupsOf(state, left),
    },
  );
  const found = new Map<TaskId, readonly Expected[]>(
    left.map(({ i, of }, n) => {
      const [from, to] = [now + (schedule.start[n] as number), now + (schedule.end[n] as number)];
      return [taskAt(state.index, i).id, boxes(of, { from, to }, gatesPart(state, i, gatesMs))];
    }),
  );
  for (const id of queued(state))
    if (gatesMs > 0) found.set(id, [{ kind: "merge", from: now, to: now + gatesMs }]);
  return found;
}

type Left = {
  readonly i: number;
  readonly of: TaskState;
  readonly workMs: number;
  readonly waitMs: number;
};

function leftToDo(state: RunState, lengths: readonly number[], now: EpochMs): Left[] {
  return state.index.plan.tasks.flatMap(({ id }, i): Left[] => {
    const of = taskState(state, i);
    const isOver = isSettled(of.phase) || of.phase.kind === "queued" || of.phase.kind === "held";
    if (isOver || !isSelected(state, id) || state.gone.has(id)) return [];
    return [{ i, of, ...workLeft(of, lengths[i] as number, now) }];
  });
}

/** Only what is left, and only the needs among it: all others are met, or wait for nobody here. */
function subgraph({ needs }: Graph, left: readonly Left[]): Graph {
  const isLeft = new Set(left.map(({ i }) => i));
  return graphOf(
    left.map(({ i }) => ({
      id: String(i),
      needs: (needs[i] ?? []).filter((need) => isLeft.has(need)).map(String),
    })),
  );
}

function groupsOf({ index }: RunState, left: readonly Left[]) {
  const names = [...index.limitOfGroup.keys()];
  const numbers = new Map(names.map((name, n) => [name, n]));
  return {
    groups: left.map(({ i }) => numbers.get(taskAt(index, i).group ?? ("" as never)) ?? null),
    groupLimits: names.map((name) => index.limitOfGroup.get(name) ?? Number.POSITIVE_INFINITY),
  };
}

/** The middle one of those that were green. */
function usualGatesMs(state: RunState): number {
  const seen: number[] = [];
  for (const [, { past }] of entries(state.tasks))
    for (const one of past) if (one.failure === null) seen.push(attemptTimes(one, one.settledAt).gatesMs);
  return Math.max(0, seen.sort((a, b) => a - b)[Math.floor(seen.length / 2)] ?? 0);
}

const gatesPart = (state: RunState, i: number, gatesMs: number): number =>
  state.index.checks[i]?.length === 0 ? 0 : gatesMs;

/** The gates are the last part of the estimate. */
function boxes(
  { live }: TaskState,
  { from, to }: { from: EpochMs; to: EpochMs },
  gatesMs: number,
): Expected[] {
  const stage = live[0]?.stage.kind;
  const isJudged = stage === "save" || stage === "gate";
  const cut = isJudged ? from : Math.max(from, to - Math.min(gatesMs, (to - from) / 2));
  const both: Expected[] = [
    { kind: "agent", from, to: cut },
    { kind: "gates", from: cut, to },
  ];
  return both.filter((box) => box.to > box.from);
}

function* queued({ indices, index }: RunState): Iterable<TaskId> {
  for (const [, i] of entries(indices.queue)) yield taskAt(index, i).id;
}
