import type { EpochMs } from "../facts.ts";
import type { RunState } from "../run-state.ts";

/**
 * The moment at which a run is shown. Where nobody drives it, time stands where its last driver left it; and a clock that
 * was set back does not lead back before what has happened.
 */
export function timeShown({ clock }: Pick<RunState, "clock">, now: EpochMs, isDriven: boolean): EpochMs {
  return isDriven ? Math.max(clock, now) : clock;
}
