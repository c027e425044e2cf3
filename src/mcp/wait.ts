import { findRun, followRun, type Host, type KnownRun } from "../app/index.ts";

export type Waiting = {
  /** Whether there is something to tell. */
  readonly isThere: (known: KnownRun) => boolean;
  readonly waitMs: number;
  /** Whoever asked has gone. */
  readonly signal: AbortSignal;
};

/** The run as soon as there is something to tell, it is over or nobody drives it; at the latest when the time is up. */
export async function waitForMore(host: Host, known: KnownRun, waiting: Waiting): Promise<KnownRun> {
  const until = Date.now() + waiting.waitMs;
  let latest = known;
  for (;;) {
    const left = until - Date.now();
    const isOver = latest.state.ended !== null || latest.driver === null;
    if (isOver || left <= 0 || waiting.signal.aborted || waiting.isThere(latest)) return latest;
    await nextFact(latest, left, waiting.signal);
    const found = await findRun(host, latest.run);
    if (!found.ok) return latest;
    latest = found.known;
  }
}

/** Facts come in bursts, and each look costs the length of the run: a moment is waited for those that belong together. */
const BURST_MS = 200;

async function nextFact(known: KnownRun, atMost: number, signal: AbortSignal): Promise<void> {
  const followed = await followRun(known);
  const heard = new Promise<void>((resolve) => {
    followed.view.subscribe({ fact: () => resolve() });
    if (followed.past.length > known.facts.length) resolve();
  });
  await Promise.race([heard, followed.left, pause(atMost, signal)]);
  followed.close();
  await pause(Math.min(BURST_MS, atMost), signal);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
