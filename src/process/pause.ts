import { systemClock } from "../util/clock.ts";

// The system's time and never the run's: what waits here waits for the kernel, which knows no other.

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimer(ms, resolve);
  });
}

/** Waits for a promise, but not for long. It must not reject. */
export function waitFor(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemClock.setTimer(ms, resolve);
    void promise.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

/** One turn of the event loop: what lies ready in a pipe is read in it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
