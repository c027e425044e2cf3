import { type Check, checkKey } from "./run-index.ts";
import type { RunState } from "./run-state.ts";
import { greenKey } from "./run-tasks.ts";
import { get, has } from "./sorted-map.ts";

/**
 * The base check: each gate of the plan runs once on the base commit while the first agents work. A gate that is red there
 * would be red for every task, so nothing is judged or merged before it is known, and a red one stops the run.
 */

/** The gates that have no verdict on the base yet. */
export function missingBaseChecks(state: RunState): Check[] {
  if (isBaseSettled(state) || !isWriting(state)) return [];
  return state.index.baseChecks.filter((check) => !isKnownOnBase(state, check));
}

/** Nothing merges before the base is known, so whatever is merged settles it, also for gates that a new plan adds. */
export function isBaseSettled({ tip, base }: Pick<RunState, "tip" | "base">): boolean {
  return tip.commit !== base.commit;
}

/** Whether the verdict of a gate on a task's work can be separated from what the base did to it. */
export function isJudgeable(state: RunState, check: Check): boolean {
  if (isBaseSettled(state) || isKnownOnBase(state, check)) return true;
  const key = checkKey(check);
  return !state.index.baseChecks.some((other) => checkKey(other) === key);
}

function isKnownOnBase({ base, greens, redOnBase }: RunState, check: Check): boolean {
  return has(greens, greenKey(base.tree, check)) || has(redOnBase, checkKey(check));
}

/** Tasks that only look are not gated, and nothing of theirs lands. */
function isWriting({ index, selected }: RunState): boolean {
  return index.plan.tasks.some(({ id, access }) => access === "write" && (selected?.has(id) ?? true));
}

/** The gates that stop the run. */
export function redBaseChecks(state: RunState): Check[] {
  if (isBaseSettled(state) || state.policy.redBase === "allow") return [];
  return state.index.baseChecks.filter(
    (check) => !check.gate.knownRed && get(state.redOnBase, checkKey(check)) !== undefined,
  );
}

/** Whether agents wait for the base check: a gate is red there, or was when the run was resumed and has not run since. */
export function isBaseInDoubt(state: RunState): boolean {
  if (redBaseChecks(state).length > 0) return true;
  if (state.redBefore === null || state.policy.redBase === "allow") return false;
  return missingBaseChecks(state).some(
    (check) => !check.gate.knownRed && has(state.redBefore, checkKey(check)),
  );
}

/** Whether gates run on what attempts leave: not in a run that is over, stops at once, waits for a person or has a red base. */
export function mayCheckWork(state: RunState): boolean {
  return state.ended === null && mayMerge(state) && redBaseChecks(state).length === 0;
}

/** A hard stop leaves the queue to the resume, and so does a run that waits for a person; a drain merges what is done. */
export function mayMerge({ stopping, held }: RunState): boolean {
  return held === null && (stopping === null || stopping === "drain");
}

/** Whether work may merge, as far as the base is concerned. */
export function isBaseReady(state: RunState): boolean {
  return missingBaseChecks(state).length === 0 && redBaseChecks(state).length === 0;
}
