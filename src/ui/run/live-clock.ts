import type { EpochMs } from "../../core/facts.ts";
import { timeShown } from "../../core/select/progress.ts";
import type { Connection } from "../source/source.ts";
import type { StoreClock } from "./store-clock.ts";

/** The time on the machine of the run, as far as the web UI knows. */
export type LiveClock = {
  readonly update: (time: { readonly now: EpochMs; readonly isRunning: boolean }) => void;
  /** A plait process resumed the run at that time, by its clock. */
  readonly resumed: (at: EpochMs) => void;
  readonly connected: (connection: Connection) => void;
  readonly isRunning: () => boolean;
  /** Not in a file, not while the run is not running, and not without a connection. */
  readonly isTicking: () => boolean;
  /** Never before the last fact. */
  readonly now: (lastAt: EpochMs) => EpochMs;
};

export function createLiveClock(clock: StoreClock): LiveClock {
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
    update: (time) => {
      isRunning = time.isRunning;
      known = { now: time.now, at: clock.now() };
    },
    resumed: (at) => {
      isRunning = true;
      known = { now: at, at: clock.now() };
    },
    connected: (connection) => {
      isFile = connection.kind === "file";
      if (connection.kind === "open" || isFile) silentSince = null;
      else if (connection.kind === "lost") silentSince ??= connection.since;
      else silentSince ??= clock.now();
    },
    isRunning: () => isRunning,
    isTicking: () => isRunning && !isFile && silentSince === null,
    now: (lastAt) => timeShown({ clock: lastAt }, known.now + passed(), isRunning),
  };
}
