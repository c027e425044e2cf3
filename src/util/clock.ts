/** Time as the program sees it: one port, so that tests decide what time it is. Durations are milliseconds. */
export type Clock = {
  /** Since 1970, for people and files. It jumps when somebody sets it. */
  readonly now: () => number;
  /** For durations: never runs backwards, and its zero means nothing. */
  readonly monotonic: () => number;
  /** Calls `fire` once, later. Whoever sets a timer owns it and cancels it. */
  readonly setTimer: (delayMs: number, fire: () => void) => Timer;
};

export type Timer = { readonly cancel: () => void };

// setTimeout takes 31 bits; with more it fires at once.
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (delayMs, fire) => {
    const handle = setTimeout(fire, Math.min(Math.max(0, delayMs), LONGEST_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Several timers with one owner: `cancelAll` ends them together. */
export type Timers = {
  readonly after: (delayMs: number, fire: () => void) => Timer;
  readonly cancelAll: () => void;
};

export function ownTimers(clock: Clock): Timers {
  const own = new Set<Timer>();
  return {
    after: (delayMs, fire) => {
      const timer = clock.setTimer(delayMs, () => {
        own.delete(timer);
        fire();
      });
      own.add(timer);
      return timer;
    },
    cancelAll: () => {
      for (const timer of own) timer.cancel();
      own.clear();
    },
  };
}
