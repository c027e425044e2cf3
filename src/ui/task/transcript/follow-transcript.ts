import type { TaskAttemptRef, TranscriptEntry } from "../../../report/page/wire.ts";
import type { Source } from "../../source/source.ts";

export type FollowedTranscript = {
  readonly entries: readonly TranscriptEntry[];
  readonly problem: Error | null;
  readonly isLoaded: boolean;
};

export const NOTHING_TOLD: FollowedTranscript = { entries: [], problem: null, isLoaded: false };

const LOOK_MS = 1_000;

/** Does something again and again until it is told to stop; tests bring their own. */
export type Every = (ms: number, fire: () => void) => () => void;

export type Following = {
  /** The attempt goes on or not: one that is over is asked once more, for what it said last. */
  readonly goOn: (isLive: boolean) => void;
  readonly stop: () => void;
};

/**
 * The transcript of an attempt, from its beginning, and what is added to it for as long as the attempt lives. One question at a time;
 * one that failed is asked again, and what was told stays.
 */
export function followTranscript(
  source: Pick<Source, "transcript">,
  { attempt, every }: { readonly attempt: TaskAttemptRef; readonly every: Every },
  changed: (told: FollowedTranscript) => void,
): Following {
  let told = NOTHING_TOLD;
  let next: string | null = null;
  let isStopped = false;
  let isAsking = false;
  let isLive = false;
  let mustAsk = true;
  let stopTimer: (() => void) | null = null;

  async function ask(): Promise<void> {
    if (isAsking || isStopped) return;
    [isAsking, mustAsk] = [true, false];
    try {
      const page = await source.transcript(attempt, next);
      next = page.next;
      if (page.hasMore) mustAsk = true;
      if (page.entries.length > 0 || !told.isLoaded || told.problem !== null)
        told = { entries: [...told.entries, ...page.entries], problem: null, isLoaded: true };
    } catch (error) {
      told = { ...told, problem: error as Error, isLoaded: true };
    }
    isAsking = false;
    if (isStopped) return;
    changed(told);
    if (mustAsk) await ask();
  }

  return {
    goOn: (goesOn) => {
      const hasEnded = isLive && !goesOn;
      isLive = goesOn;
      if (hasEnded) mustAsk = true;
      if (isLive) stopTimer ??= every(LOOK_MS, () => void ask());
      else {
        stopTimer?.();
        stopTimer = null;
      }
      if (mustAsk) void ask();
    },
    stop: () => {
      isStopped = true;
      stopTimer?.();
    },
  };
}
