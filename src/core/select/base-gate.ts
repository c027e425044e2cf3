import { missingBaseChecks } from "../base-check.ts";
import { hasProcess } from "../queries.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";

/** The gate that checks the base commit now; null when that is over. */
export function baseGate(state: RunState): string | null {
  return missingBaseChecks(state)[0]?.gate.name ?? null;
}

/** Whether agents run meanwhile. */
export function hasWorkingAgents(state: RunState): boolean {
  return [...entries(state.indices.live)].some(([i]) => taskState(state, i).live.some(hasProcess));
}
