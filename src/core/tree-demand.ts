import type { Revision } from "./facts.ts";
import { missingLandingChecks } from "./landing.ts";
import { isInCandidate } from "./queries.ts";
import type { RunState, TaskState } from "./run-state.ts";
import { listTasks } from "./run-tasks.ts";

/**
 * Whether an attempt or a gate may want another tree: false where all that is left is to merge and land a tree whose gates are green.
 * True where that is not certain.
 */
export function mayNeedTree(state: RunState): boolean {
  const { waiting, active, backoff, parked } = state.indices.phases;
  if (waiting + active + backoff + parked > 0) return true;
  if (state.candidates.some(({ missing }) => missing.length > 0)) return true;
  const last = findLastTree(state);
  return last === null || missingLandingChecks(state, last).length > 0;
}

/** The revision that the queue ends with; null where it is not built yet and may be another one than its parts. */
function findLastTree(state: RunState): Revision | null {
  const unbuilt = listTasks(state).filter(
    ({ task, of }) => of.phase.kind === "queued" && !isInCandidate(state, task.id),
  );
  const [alone] = unbuilt;
  if (alone === undefined) return state.candidates.at(-1)?.result ?? state.tip;
  return unbuilt.length > 1 || state.candidates.length > 0 ? null : findOwnTree(state, alone.of);
}

/** Work that was done on the tip merges as it is. */
function findOwnTree({ tip }: RunState, { phase, past }: TaskState): Revision | null {
  if (phase.kind !== "queued") return null;
  const base = past.find(({ id }) => id === phase.attempt)?.base;
  return base?.commit === tip.commit ? phase.result : null;
}
