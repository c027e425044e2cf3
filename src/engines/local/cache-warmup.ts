// The first request with a shared prefix writes the vendor's prompt cache, and the cache can be read only once that request is
// answered. Requests that start together each pay to write it. So the attempts of one prefix wait, for moments, until the first of
// them has an answer. Their worktrees are prepared meanwhile; the scheduler sees nothing of it.

import type { Clock } from "../../util/clock.ts";
import { deferred } from "../../util/deferred.ts";

export type CacheWarmup = ReturnType<typeof openCacheWarmup>;

type CacheTurn = {
  /** Ends when the first has an answer, or time is up; null: nothing to wait for. */
  readonly wait: Promise<void> | null;
  /** The model answered this attempt, or the attempt is over. */
  readonly answered: () => void;
};

/** The program starts in 1 to 2 seconds, and a model begins to answer 30,000 tokens in 2 to 4. */
export const LONGEST_WARMUP_MS = 6_000;

/** Anthropic's cache forgets a prefix that was not used for this long. */
const FORGOTTEN_MS = 5 * 60_000;

/** About 1,000 tokens: the least that Anthropic caches. Below it a run is not worth waiting for. */
export const LEAST_SHARED_BYTES = 4_096;

type Prefix = { usedAt: number; isWarm: boolean; readonly warm: Promise<void>; readonly end: () => void };

export function openCacheWarmup({ monotonic, setTimer }: Pick<Clock, "monotonic" | "setTimer">) {
  const prefixes = new Map<string, Prefix>();
  const begin = (): Prefix => {
    const { promise: warm, resolve } = deferred<void>();
    const end = (): void => {
      timer.cancel();
      prefix.isWarm = true;
      resolve();
    };
    const prefix: Prefix = { usedAt: monotonic(), isWarm: false, warm, end };
    const timer = setTimer(LONGEST_WARMUP_MS, end);
    return prefix;
  };
  return {
    /** Before an attempt's program is started; attempts with the same key send the same prefix. */
    enter: (key: string): CacheTurn => {
      const known = prefixes.get(key);
      if (known === undefined || (known.isWarm && monotonic() - known.usedAt > FORGOTTEN_MS)) {
        const first = begin();
        prefixes.set(key, first);
        return { wait: null, answered: first.end };
      }
      known.usedAt = monotonic();
      return { wait: known.isWarm ? null : known.warm, answered: () => undefined };
    },
  };
}
