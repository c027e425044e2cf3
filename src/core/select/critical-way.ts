import type { EpochMs } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import type { Overview } from "./overview.ts";
import { criticalPath } from "./totals.ts";

/**
 * The way through the whole plan that decides when the run is ready, first to last. What lies behind is what really held
 * up the next: of all that a task needed, that which was done last. What lies ahead is what the forecast names.
 */
export function criticalWay({ state, forecast }: Pick<Overview, "state" | "forecast">): TaskId[] {
  const deciding = forecast?.by ?? [];
  const ahead = deciding.length > 0 ? deciding : criticalPath(state);
  const [first] = ahead;
  const from = first === undefined ? lastDone(state) : (state.index.indexOf.get(first) ?? null);
  if (from === null) return [];
  const behind: TaskId[] = first === undefined ? [taskAt(state.index, from).id] : [];
  for (let next = latestNeed(state, from); next !== null; next = latestNeed(state, next)) {
    behind.push(taskAt(state.index, next).id);
  }
  return [...behind.reverse(), ...ahead];
}

function latestNeed(state: RunState, i: number): number | null {
  return latest(state, state.index.graph.needs[i] ?? []);
}

const lastDone = (state: RunState): number | null =>
  latest(
    state,
    [...entries(state.tasks)].map(([i]) => i),
  );

/** The last of those that are done; null where none is. */
function latest(state: RunState, candidates: readonly number[]): number | null {
  let found: number | null = null;
  let at = Number.NEGATIVE_INFINITY;
  for (const i of candidates) {
    const done = doneAt(taskState(state, i).phase);
    if (done !== null && done > at) [found, at] = [i, done];
  }
  return found;
}

const doneAt = (phase: TaskPhase): EpochMs | null =>
  phase.kind === "merged" || phase.kind === "passed" ? phase.at : null;
