import type { StoreClock } from "./run-store.ts";

export const browserClock: StoreClock = {
  now: Date.now,
  every: (ms, fire) => {
    const timer = setInterval(fire, ms);
    return () => clearInterval(timer);
  },
};
