import type { EpochMs } from "../../core/facts.ts";
import { timeShown } from "../../core/select/progress.ts";
import type { Connection } from "../source/source.ts";
import type { StoreClock } from "./store-clock.ts";

/** The time on the machine of the run, as far as the web UI knows. */
export function createLiveClock(clock: StoreClock) {
  let isRunning = false;
  let isFile = false;
  /** Since when there is no connection, by the browser's clock; null while there is one. */
  let silentSince: number | null = null;
  /** The time by the run's clock, and when it arrived by the browser's. */
  let known = { now: 0, at: 0 };

  const passed = (): number => {
    if (isFile) return 0; // always the time at which it was made
    return Math.max(0, (silentSince ?? clock.now()) - known.at);
  };
  return {
    update: (time: { readonly now: EpochMs; readonly isRunning: boolean }): void => {
      isRunning = time.isRunning;
      known = { now: time.now, at: clock.now() };
    },
    /** A plait process resumed the run at that time, by its clock. */
    resumed: (at: EpochMs): void => {
      isRunning = true;
      known = { now: at, at: clock.now() };
    },
    connected: (connection: Connection): void => {
      isFile = connection.kind === "file";
      if (connection.kind === "open" || isFile) silentSince = null;
      else if (connection.kind === "lost") silentSince ??= connection.since;
      else silentSince ??= clock.now();
    },
    isRunning: () => isRunning,
    /** Not in a file, not while the run is not running, and not without a connection. */
    isTicking: () => isRunning && !isFile && silentSince === null,
    /** Never before the last fact. */
    now: (lastAt: EpochMs): EpochMs => timeShown({ clock: lastAt }, known.now + passed(), isRunning),
  };
}
