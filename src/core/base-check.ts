import { type Check, checkKey } from "./run-index.ts";
import type { RunState } from "./run-state.ts";
import { greenKey } from "./run-tasks.ts";
import { get, has } from "./sorted-map.ts";

/**
 * Before the first agent starts, each gate of the plan is run once on the base. What is red there would be red for every
 * task, whatever its agent does: the run stops before it costs anything, unless the user knows about it.
 */

/** What is still to be judged before anything may start. */
export function missingBaseChecks(state: RunState): Check[] {
  if (state.begun || !isWriting(state)) return [];
  return state.index.baseChecks.filter(
    (check) => !has(state.greens, greenKey(state.base.tree, check)) && !has(state.redOnBase, checkKey(check)),
  );
}

/** Tasks that only look are not gated, and nothing of theirs lands. */
function isWriting({ index, selected }: RunState): boolean {
  return index.plan.tasks.some(({ id, access }) => access === "write" && (selected?.has(id) ?? true));
}

/** The gates that stop the run. */
export function redBaseChecks(state: RunState): Check[] {
  if (state.begun || state.policy.redBase === "allow") return [];
  return state.index.baseChecks.filter(
    (check) => !check.gate.knownRed && get(state.redOnBase, checkKey(check)) !== undefined,
  );
}

/** Whether attempts may start, as far as the base is concerned. */
export function isBaseReady(state: RunState): boolean {
  return state.begun || (missingBaseChecks(state).length === 0 && redBaseChecks(state).length === 0);
}
