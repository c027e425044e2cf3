import type { EpochMs } from "../../core/facts.ts";
import { timeShown } from "../../core/select/time-shown.ts";
import type { Connection } from "../source/source.ts";
import type { StoreClock } from "./store-clock.ts";

/** What time it is where the run is driven, as far as the page can know. */
export type LiveClock = {
  readonly told: (time: { readonly now: EpochMs; readonly isDriven: boolean }) => void;
  /** Somebody has taken the run at that time, by their clock. */
  readonly taken: (at: EpochMs) => void;
  readonly connected: (connection: Connection) => void;
  readonly isDriven: () => boolean;
  /** Whether it goes on by itself: not in a file, not without a driver, and not while nothing is heard. */
  readonly isTicking: () => boolean;
  /** Never before the last fact. */
  readonly now: (lastAt: EpochMs) => EpochMs;
};

export function createLiveClock(clock: StoreClock): LiveClock {
  let isDriven = false;
  let isFile = false;
  /** Since when nothing is heard, by our clock; null while something is. */
  let deafSince: number | null = null;
  /** The time by the driver's clock, and when it was told by ours. */
  let told = { now: 0, at: 0 };

  const passed = (): number => {
    if (isFile) return 0; // it is always the moment at which it was made
    return Math.max(0, (deafSince ?? clock.now()) - told.at);
  };
  return {
    told: (time) => {
      isDriven = time.isDriven;
      told = { now: time.now, at: clock.now() };
    },
    taken: (at) => {
      isDriven = true;
      told = { now: at, at: clock.now() };
    },
    connected: (connection) => {
      isFile = connection.kind === "file";
      if (connection.kind === "open" || isFile) deafSince = null;
      else if (connection.kind === "lost") deafSince ??= connection.since;
      else deafSince ??= clock.now();
    },
    isDriven: () => isDriven,
    isTicking: () => isDriven && !isFile && deafSince === null,
    now: (lastAt) => timeShown({ clock: lastAt }, told.now + passed(), isDriven),
  };
}
