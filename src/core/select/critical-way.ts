import type { EpochMs } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import type { Overview } from "./overview.ts";
import { criticalPath } from "./totals.ts";

/** The critical path through the whole plan, first to last. */
export type CriticalWay = {
  /** What really decided: of all that a task needed, that which was done last; and when it was. */
  readonly behind: readonly { readonly task: TaskId; readonly doneAt: EpochMs }[];
  /** What decides when the run is ready; nothing once it has ended. */
  readonly ahead: readonly TaskId[];
};

export function criticalWay({ state, forecast }: Pick<Overview, "state" | "forecast">): CriticalWay {
  const ahead = comingTasks(state, forecast);
  const [next] = ahead;
  const behind: { task: TaskId; doneAt: EpochMs }[] = [];
  let last =
    next === undefined ? lastDone(state) : latestNeed(state, state.index.indexOf.get(next) as number);
  while (last !== null) {
    behind.unshift({ task: taskAt(state.index, last.i).id, doneAt: last.at });
    last = latestNeed(state, last.i);
  }
  return { behind, ahead };
}

function comingTasks(state: RunState, forecast: Overview["forecast"]): readonly TaskId[] {
  if (state.ended !== null) return [];
  const by = forecast?.by ?? [];
  return by.length > 0 ? by : criticalPath(state);
}

type Done = { readonly i: number; readonly at: EpochMs };

const latestNeed = (state: RunState, i: number): Done | null =>
  latest(state, state.index.graph.needs[i] ?? []);

const lastDone = (state: RunState): Done | null =>
  latest(
    state,
    [...entries(state.tasks)].map(([i]) => i),
  );

/** The last of those that are done; null where none is. */
function latest(state: RunState, candidates: readonly number[]): Done | null {
  let found: Done | null = null;
  for (const i of candidates) {
    const at = doneAt(taskState(state, i).phase);
    if (at !== null && (found === null || at > found.at)) found = { i, at };
  }
  return found;
}

const doneAt = (phase: TaskPhase): EpochMs | null =>
  phase.kind === "merged" || phase.kind === "passed" ? phase.at : null;
