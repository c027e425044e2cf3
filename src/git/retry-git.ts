import { setTimeout as pause } from "node:timers/promises";
import { GitError, type GitFailureReason } from "./failure.ts";

/** Half a second in all: a person waits for the answer. */
const WAITS_MS = [50, 150, 300];
/** Where the call itself is slow it is repeated once, and again only within this time. */
const MOST_MS = 700;

/** Failures that the same call may not meet a moment later. */
const TRANSIENT: ReadonlySet<GitFailureReason> = new Set(["other", "busy", "lock-contention", "no-space"]);

export type RetryClock = { readonly wait: (ms: number) => Promise<void>; readonly now: () => number };

const SYSTEM: RetryClock = { wait: pause, now: () => performance.now() };

/**
 * For what may be repeated as a whole: it only reads, or it leaves nothing behind when it fails. Steps of a run are retried
 * by its driver instead, which records each failure.
 */
export async function retryGit<T>(ask: () => Promise<T>, { wait, now }: RetryClock = SYSTEM): Promise<T> {
  const from = now();
  for (const [i, waitMs] of WAITS_MS.entries()) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GitError) || !TRANSIENT.has(error.code)) throw error;
      if (i > 0 && now() - from > MOST_MS) throw error;
      await wait(waitMs);
    }
  }
  return ask();
}
