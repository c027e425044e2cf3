import type { RunState } from "../run-state.ts";
import { count } from "./preview/words.ts";

/** A stop while it lasts, in one or two sentences; `harder` says how it becomes one, where that is known. */
export function stoppingText(
  { run, indices, failedFast }: Pick<RunState, "run" | "indices" | "failedFast">,
  mode: NonNullable<RunState["stopping"]>,
  harder = "",
): string {
  if (indices.liveAttempts === 0) return `Stopping: nothing is under way. Go on with: plait resume ${run}`;
  const attempts = count(indices.liveAttempts, "attempt");
  const their = indices.liveAttempts === 1 ? "its" : "their";
  if (failedFast)
    return `Stopping ${attempts} and saving ${their} work: a task failed, and the run is to fail fast.`;
  if (mode === "drain") return `Draining: ${attempts} may end, none starts, nothing lands.`;
  if (mode === "kill")
    return `Killing ${attempts}. ${their === "its" ? "Its" : "Their"} work is saved by: plait resume ${run}`;
  return `Stopping ${attempts} and saving ${their} work.${harder} Go on with: plait resume ${run}`;
}
