// Who of several windows hears of its run. Browsers allow six connections to one server for all windows together, and a stream
// takes one for good: with six streams nothing else is ever answered. Nobody looks at a hidden window, so only a few of these
// keep theirs, for the sign on their tabs; the others give it up, and go on at the next fact as soon as they are seen.

/** The parts of a browser that are needed. */
export type Windows = {
  readonly document: Pick<Document, "visibilityState" | "addEventListener">;
  /** What all windows of this server share; null where the browser has none: then every hidden window gives up. */
  readonly locks: Pick<LockManager, "request"> | null;
};

export type Turn = {
  /** Aborted when the stream is to be given up, for others or for good. */
  readonly signal: AbortSignal;
  readonly end: () => void;
};

/** Resolves when this window may hear. */
export type Turns = (signal: AbortSignal) => Promise<Turn>;

const MOST_HIDDEN = 2;

export const always: Turns = async (signal) => ({ signal, end: () => undefined });

export function hearingTurns({ document, locks }: Windows): Turns {
  const isHidden = (): boolean => document.visibilityState === "hidden";
  return async (signal) => {
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    /** Whether it may go on; if it is hidden, by a place that it keeps until it is seen. */
    const mayHear = async (): Promise<boolean> =>
      !isHidden() || (await hasPlace(locks, nextChange(document, ends))) || !isHidden();
    while (!(await mayHear()) && !signal.aborted) await aborted(nextChange(document, signal));
    const giveUp = new AbortController();
    const changed = async (): Promise<void> => {
      if (!(await mayHear())) giveUp.abort();
    };
    document.addEventListener("visibilitychange", () => void changed(), { signal: ends });
    return { signal: AbortSignal.any([signal, giveUp.signal]), end: () => over.abort() };
  };
}

/** Aborted when the window is hidden or seen next, or nobody cares any more. */
function nextChange(document: Windows["document"], until: AbortSignal): AbortSignal {
  const change = new AbortController();
  const { signal } = change;
  document.addEventListener("visibilitychange", () => change.abort(), { once: true, signal: until });
  until.addEventListener("abort", () => change.abort(), { signal });
  if (until.aborted) change.abort();
  return signal;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Takes one of the places for hidden windows, until then. */
async function hasPlace(locks: Windows["locks"], until: AbortSignal): Promise<boolean> {
  for (let n = 0; locks !== null && n < MOST_HIDDEN; n += 1) {
    const isMine = await new Promise<boolean>((resolve) => {
      const held = locks.request(`plait-hidden-${n}`, { ifAvailable: true }, async (lock) => {
        resolve(lock !== null);
        if (lock !== null) await aborted(until);
      });
      held.catch(() => resolve(false)); // a browser that keeps nothing for sites
    });
    if (isMine) return true;
  }
  return false;
}
