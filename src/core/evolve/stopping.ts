import { redBaseChecks } from "../base-check.ts";
import type { StopMode } from "../facts.ts";
import type { RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { retryFailingSteps } from "./effects.ts";
import { stopProcesses } from "./live.ts";

export const HARDNESS: { readonly [M in StopMode]: number } = { drain: 0, stop: 1, kill: 2 };

/** A stop can only get harder. Drain lets what runs end; the others end it. */
export function beginStop(state: RunState, mode: StopMode, cause: "stop" | "fail-fast"): RunState {
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) return state;
  const next: RunState = { ...state, stopping: mode };
  if (mode === "drain") return next;
  return endProcesses(cause === "stop" ? retryFailingSteps(next) : next, cause);
}

/** A red base makes every agent's work useless: they end now, without a stop, so that the other gates still run on the base. */
export function stopOnRedBase(state: RunState): RunState {
  return redBaseChecks(state).length === 0 ? state : endProcesses(state, "red-base");
}

function endProcesses(state: RunState, cause: "stop" | "fail-fast" | "red-base"): RunState {
  let next = state;
  for (const [i] of entries(state.indices.live)) next = stopProcesses(next, i, cause);
  return next;
}
