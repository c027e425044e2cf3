import type { EpochMs } from "../../core/facts.ts";
import type { History } from "./history.ts";
import type { StoreClock } from "./store-clock.ts";

export type Replay = { readonly at: EpochMs; readonly speed: Speed; readonly isPlaying: boolean };
export const speeds = [1, 8, 64] as const;
export type Speed = (typeof speeds)[number];

/** Where in its past a run is shown. Several facts may have one time, so the place among them counts too. */
export type Position = Replay & { readonly upTo: number };

export type Replayer = ReturnType<typeof createReplayer>;

type Around = {
  readonly history: History;
  readonly clock: StoreClock;
  /** The time that a replay ends at. */
  readonly end: () => EpochMs;
  readonly changed: () => void;
};

const PLAY_MS = 100;

export function createReplayer({ history, clock, end, changed }: Around) {
  /** Null while what happens now is shown. */
  let position: Position | null = null;
  /** Kept for the next time, too. */
  let speed: Speed = 1;
  let stopTimer: () => void = () => undefined;

  function show(next: Position | null): void {
    position = next;
    if (next?.isPlaying !== true) stopTimer();
    changed();
  }

  function placeAt(at: EpochMs): Pick<Position, "at" | "upTo"> | null {
    if (at >= end()) return null;
    const from = Math.max(history.timeOf(0), at);
    return { at: from, upTo: Math.max(1, history.countAt(from)) };
  }

  function seek(at: EpochMs | null): void {
    const place = at === null ? null : placeAt(at);
    const { isPlaying = false } = position ?? {};
    show(place === null ? null : { ...place, speed, isPlaying });
  }

  function step(by: 1 | -1): void {
    const upTo = Math.max(1, (position?.upTo ?? history.facts.length) + by);
    show(
      upTo >= history.facts.length ? null : { at: history.timeOf(upTo - 1), upTo, speed, isPlaying: false },
    );
  }

  function play(asked: Speed | null): void {
    stopTimer();
    if (asked === null) {
      show(position === null ? null : { ...position, isPlaying: false });
      return;
    }
    speed = asked;
    let before = clock.now();
    stopTimer = clock.every(PLAY_MS, () => {
      const now = clock.now();
      if (position !== null) seek(overGap(history, position, position.at + (now - before) * speed));
      before = now;
    });
    const { at, upTo } = position ?? { at: history.timeOf(0), upTo: 1 };
    show({ at, upTo, speed, isPlaying: true });
  }

  /** How fast it plays, or will; what is shown stays. */
  function pace(asked: Speed): void {
    speed = asked;
    if (position?.isPlaying === true) play(asked);
    else show(position === null ? null : { ...position, speed });
  }

  return { position: () => position, speed: () => speed, seek, play, pace, step, close: () => stopTimer() };
}

/** A night in which nobody drove the run, or the machine slept, is not sat through. */
function overGap({ facts, timeOf }: History, { upTo }: Position, at: EpochMs): EpochMs {
  const next = facts[upTo];
  const isGap = next?.type === "run.resumed" || (next?.type === "run.slept" && at >= next.from);
  return isGap ? Math.max(at, timeOf(upTo)) : at;
}
