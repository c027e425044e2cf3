import type { TaskAttemptRef, TranscriptEntry } from "../../../report/page/wire.ts";
import type { StoreClock } from "../../run/store-clock.ts";
import type { Source } from "../../source/source.ts";

export type FollowedTranscript = {
  readonly entries: readonly TranscriptEntry[];
  readonly problem: Error | null;
  readonly isLoaded: boolean;
};

export const EMPTY_TRANSCRIPT: FollowedTranscript = { entries: [], problem: null, isLoaded: false };

const LOOK_MS = 1_000;

export type Every = StoreClock["every"];

export type Following = ReturnType<typeof followTranscript>;

/**
 * The transcript of an attempt from its start, and what is added while the attempt runs. One request at a time; after a failed one
 * the next follows, and earlier entries stay.
 */
export function followTranscript(
  source: Pick<Source, "transcript">,
  { attempt, every }: { readonly attempt: TaskAttemptRef; readonly every: Every },
  changed: (followed: FollowedTranscript) => void,
) {
  let followed = EMPTY_TRANSCRIPT;
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
      if (page.entries.length > 0 || !followed.isLoaded || followed.problem !== null)
        followed = { entries: [...followed.entries, ...page.entries], problem: null, isLoaded: true };
    } catch (error) {
      followed = { ...followed, problem: error as Error, isLoaded: true };
    }
    isAsking = false;
    if (isStopped) return;
    changed(followed);
    if (mustAsk) await ask();
  }

  return {
    /** Whether the attempt is running: after its end the transcript is requested once more. */
    setLive: (isLiveNow: boolean): void => {
      const hasEnded = isLive && !isLiveNow;
      isLive = isLiveNow;
      if (hasEnded) mustAsk = true;
      if (isLive) stopTimer ??= every(LOOK_MS, () => void ask());
      else {
        stopTimer?.();
        stopTimer = null;
      }
      if (mustAsk) void ask();
    },
    stop: (): void => {
      isStopped = true;
      stopTimer?.();
    },
  };
}
