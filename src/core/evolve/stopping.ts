import type { StopMode } from "../facts.ts";
import type { RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { stopProcesses } from "./live.ts";

export const HARDNESS: { readonly [M in StopMode]: number } = { drain: 0, stop: 1, kill: 2 };

/** A stop can only get harder. Drain lets what runs end; the others end it. */
export function beginStop(state: RunState, mode: StopMode, cause: "stop" | "fail-fast"): RunState {
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) return state;
  let next: RunState = { ...state, stopping: mode };
  if (mode === "drain") return next;
  for (const [i] of entries(state.indices.live)) next = stopProcesses(next, i, cause);
  return next;
}
