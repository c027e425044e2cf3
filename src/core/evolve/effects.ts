import type { EpochMs } from "../facts.ts";
import { backoffMs, EFFECT_BACKOFF, EFFECT_TRIES } from "../failure.ts";
import type { RunState } from "../run-state.ts";
import { get, set } from "../sorted-map.ts";

/** What could not be done is wanted again after a wait; when it keeps failing a person is asked. */
export function onEffectFailed(
  state: RunState,
  fact: { key: string; detail: string; at: EpochMs },
): RunState {
  const known = get(state.failing, fact.key);
  if (known?.at === fact.at) return state;
  const times = (known?.times ?? 0) + 1;
  const until = fact.at + backoffMs(EFFECT_BACKOFF, times, fact.key);
  const failing = set(state.failing, fact.key, { at: fact.at, until, times });
  return { ...state, failing, held: times < EFFECT_TRIES ? state.held : (state.held ?? fact.detail) };
}
