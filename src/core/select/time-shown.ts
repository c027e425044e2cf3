import type { EpochMs } from "../facts.ts";
import type { RunState } from "../run-state.ts";

/**
 * The moment at which a run is shown. Where nobody drives it, time stands where its last driver left it; and a clock that
 * was set back does not lead back before what has happened.
 */
export function timeShown({ clock }: Pick<RunState, "clock">, now: EpochMs, isRunning: boolean): EpochMs {
  return isRunning ? Math.max(clock, now) : clock;
}
