import type { StoreClock } from "./store-clock.ts";

export const browserClock: StoreClock = {
  now: Date.now,
  every: (ms, fire) => {
    const timer = setInterval(fire, ms);
    return () => clearInterval(timer);
  },
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};
