import type { EpochMs } from "../../facts.ts";
import type { TaskId } from "../../ids.ts";
import { taskAt } from "../../run-index.ts";
import type { RunState } from "../../run-state.ts";
import { type ComingWork, comingWork } from "../coming-work.ts";

/** What is still to come of a task, as far as the estimates are right. */
export type Expected = {
  readonly kind: "agent" | "gates" | "merge";
  readonly from: EpochMs;
  readonly to: EpochMs;
};

/** Empty where nobody knows how long tasks take. */
export function expectedOf(state: RunState, now: EpochMs): ReadonlyMap<TaskId, readonly Expected[]> {
  const coming = comingWork(state, now) ?? [];
  return new Map(coming.map((one) => [taskAt(state.index, one.i).id, boxes(one)]));
}

/** The gates are the last part of the estimate. */
function boxes({ of, from, to, gatesMs }: ComingWork): Expected[] {
  const all: Expected[] =
    of.phase.kind === "queued"
      ? [{ kind: "merge", from, to }]
      : workBoxes({ from, to }, isJudged(of) ? to - from : Math.min(gatesMs, (to - from) / 2));
  return all.filter((box) => box.to > box.from);
}

function isJudged({ live }: ComingWork["of"]): boolean {
  const stage = live[0]?.stage.kind;
  return stage === "save" || stage === "gate";
}

function workBoxes({ from, to }: Pick<ComingWork, "from" | "to">, gatesMs: number): Expected[] {
  const cut = Math.max(from, to - gatesMs);
  return [
    { kind: "agent", from, to: cut },
    { kind: "gates", from: cut, to },
  ];
}
