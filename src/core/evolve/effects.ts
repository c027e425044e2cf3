import type { TypedFact } from "../facts.ts";
import { backoffMs, findEffectRule } from "../failure.ts";
import type { RunState } from "../run-state.ts";
import { entries, get, set } from "../sorted-map.ts";

/**
 * A step that failed is wanted again after a wait; one that keeps failing stops the run for a person. The last step of a
 * run cannot: whatever it could not remove stays, and the run ends as it would have.
 */
export function onEffectFailed(state: RunState, fact: TypedFact<"effect.failed">): RunState {
  const { key, detail, cause = null, at } = fact;
  const known = get(state.failing, key);
  if (known?.at === at) return state;
  const { backoff, limit } = findEffectRule(cause, isEnding(state));
  const times = (known?.times ?? 0) + 1;
  const isGivenUp = times >= limit;
  const until = at + backoffMs(backoff, times, key);
  const failing = set(state.failing, key, { at, until, times, limit, detail, cause, isGivenUp });
  const isHeld = isGivenUp && key !== "finish" && state.held === null;
  return isHeld ? { ...state, failing, held: detail, heldStep: key } : { ...state, failing };
}

const isEnding = ({ held, stopping, failedFast }: RunState): boolean =>
  held !== null || (stopping !== null && stopping !== "drain" && !failedFast);

/** A person waits for the end: steps that wait for a retry are tried at once. */
export function retryFailingSteps(state: RunState): RunState {
  let failing = state.failing;
  for (const [key, entry] of entries(state.failing))
    if (!entry.isGivenUp) failing = set(failing, key, { ...entry, until: state.clock, times: 0 });
  return { ...state, failing };
}
