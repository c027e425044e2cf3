import type { Clock } from "../../src/util/clock.ts";

/** A clock that stands still until it is told: for tests. */
export type ManualClock = Clock & {
  /** Lets time pass: each timer fires at its own moment, in order, also those that are set on the way. */
  readonly advance: (ms: number) => void;
  /** As if the machine had slept: time is later at once, and the timers that became due fire late. */
  readonly sleep: (ms: number) => void;
  /** As if the machine had been suspended, or somebody had set the clock: the wall clock alone moves. */
  readonly shiftWall: (ms: number) => void;
  /** Timers that are set and have not fired. */
  readonly pending: () => number;
};

type Pending = { readonly dueMs: number; readonly fire: () => void };

export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let elapsed = 0;
  let wallMs = startMs;
  const timers = new Set<Pending>();

  function fireUntil(limitMs: number, arrive: (dueMs: number) => void): void {
    for (;;) {
      const [next] = [...timers].filter((one) => one.dueMs <= limitMs).sort((a, b) => a.dueMs - b.dueMs);
      if (!next) return;
      timers.delete(next);
      arrive(next.dueMs);
      next.fire();
    }
  }

  return {
    now: () => wallMs + elapsed,
    monotonic: () => elapsed,
    setTimer: (delayMs, fire) => {
      const timer: Pending = { dueMs: elapsed + Math.max(0, delayMs), fire };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    advance: (ms) => {
      const end = elapsed + ms;
      fireUntil(end, (dueMs) => {
        elapsed = Math.max(elapsed, dueMs);
      });
      elapsed = end;
    },
    sleep: (ms) => {
      elapsed += ms;
      fireUntil(elapsed, () => undefined);
    },
    shiftWall: (ms) => {
      wallMs += ms;
    },
    pending: () => timers.size,
  };
}
