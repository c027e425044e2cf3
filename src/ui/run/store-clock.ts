/** The part of a browser's time that is needed; tests bring their own. Whoever starts something can take it back. */
export type StoreClock = {
  readonly now: () => number;
  readonly every: (ms: number, fire: () => void) => () => void;
  readonly after: (ms: number, fire: () => void) => () => void;
};

/** However often it is asked, it fires once in so many milliseconds; the last time counts. */
export function createPacer(clock: StoreClock, ms: number, fire: () => void) {
  let firedAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;

  function fireNow(): void {
    cancel?.();
    cancel = null;
    firedAt = clock.now();
    fire();
  }

  return {
    /** Whatever the pace: for what a person did. */
    fire: fireNow,
    ask: () => {
      const wait = firedAt + ms - clock.now();
      if (wait <= 0) fireNow();
      else cancel ??= clock.after(wait, fireNow);
    },
    close: () => cancel?.(),
  };
}

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
