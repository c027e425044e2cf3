// Which of several windows may keep a stream open. Browsers allow six connections to one server for all windows together, and
// each stream takes one: with six streams no other request is answered. Only a few hidden windows keep theirs, for their tab
// titles; the others close it, and continue with the next fact when they are visible again.

/** The parts of a browser that are needed. */
export type Windows = {
  readonly document: Pick<Document, "visibilityState" | "addEventListener">;
  /** What all windows of this server share; null where the browser has none: then every hidden window closes its stream. */
  readonly locks: Pick<LockManager, "request"> | null;
};

export type Turn = {
  /** Aborted when the stream must be closed. */
  readonly signal: AbortSignal;
  readonly end: () => void;
};

/** Resolves when this window may open its stream. */
export type Turns = (signal: AbortSignal) => Promise<Turn>;

const MOST_HIDDEN = 2;

export const always: Turns = async (signal) => ({ signal, end: () => undefined });

export function createStreamTurns({ document, locks }: Windows): Turns {
  const isHidden = (): boolean => document.visibilityState === "hidden";
  return async (signal) => {
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    /** If the window is hidden, it needs a place, which it keeps until it is visible. */
    const mayStream = async (): Promise<boolean> =>
      !isHidden() || (await hasPlace(locks, nextChange(document, ends))) || !isHidden();
    while (!(await mayStream()) && !signal.aborted) await aborted(nextChange(document, signal));
    const close = new AbortController();
    const changed = async (): Promise<void> => {
      if (!(await mayStream())) close.abort();
    };
    document.addEventListener("visibilitychange", () => void changed(), { signal: ends });
    return { signal: AbortSignal.any([signal, close.signal]), end: () => over.abort() };
  };
}

/** Aborted when the window is next hidden or shown, or at `until`. */
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
