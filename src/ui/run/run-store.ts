import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import { type Overview, overview } from "../../core/select/overview.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import type { Connection } from "../source/source.ts";
import { createHistory } from "./history.ts";

/** One run as the page shows it: live, or at a moment of its past. Every view draws this and nothing else. */
export type Moment = Overview & {
  readonly activity: ReadonlyMap<AttemptId, Activity>;
  readonly isDriven: boolean;
  /** All facts that are known, later ones too; the first `upTo` are in the state. The same array grows with the run. */
  readonly facts: readonly Fact[];
  readonly upTo: number;
  /** Null while the page shows what happens now. */
  readonly replay: Replay | null;
  readonly connection: Connection;
  /** Why the facts from here on are not shown; null where all are. */
  readonly unreadable: Extract<RunEvent, { kind: "unreadable" }> | null;
};

export type Replay = { readonly at: EpochMs; readonly speed: Speed; readonly isPlaying: boolean };
export type Speed = 1 | 8 | 64;

export type RunStore = {
  /** Null until the past is told. */
  readonly moment: () => Moment | null;
  readonly subscribe: (listener: () => void) => () => void;
  readonly hear: (event: RunEvent) => void;
  readonly connected: (connection: Connection) => void;
  /** How many facts are known: where to go on after a connection was lost. */
  readonly known: () => number;
  /** Shows the run at that moment; null goes back to what happens now. */
  readonly seek: (at: EpochMs | null) => void;
  readonly play: (speed: Speed | null) => void;
  /** One fact on (1) or back (-1). */
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
};

/** The part of a browser's time that is needed; tests bring their own. */
export type StoreClock = {
  readonly now: () => number;
  readonly every: (ms: number, fire: () => void) => () => void;
};

const TICK_MS = 1_000;
const PLAY_MS = 100;

export function createRunStore(clock: StoreClock): RunStore {
  const history = createHistory();
  const listeners = new Set<() => void>();
  const activity = new Map<AttemptId, Activity>();
  let isTold = false;
  let isDriven = false;
  /** The time by the driver's clock, and when it was told by ours. */
  let told = { now: 0, at: 0 };
  let replay: Replay | null = null;
  let connection: Connection = { kind: "connecting" };
  let unreadable: Moment["unreadable"] = null;
  let shown: Moment | null = null;
  let isStale = true;
  let stopPlaying: () => void = () => undefined;
  const stopTicking = clock.every(TICK_MS, () => {
    if (replay === null && isTicking() && history.facts.length > 0) changed();
  });

  function changed(): void {
    isStale = true;
    for (const listener of listeners) listener();
  }

  const lastAt = (): EpochMs => history.facts.at(-1)?.at ?? 0;
  // In a file it is always the moment at which it was made.
  const isTicking = (): boolean => isDriven && connection.kind !== "file";
  const liveNow = (): EpochMs => {
    if (!isDriven) return lastAt();
    return Math.max(lastAt(), told.now + (isTicking() ? clock.now() - told.at : 0));
  };

  function read(): Moment | null {
    const upTo = replay === null ? history.facts.length : history.countAt(replay.at);
    const state = history.stateAfter(Math.max(1, upTo));
    if (state === null) return null;
    const now = replay === null ? liveNow() : replay.at;
    // What agents were doing at a moment of the past is written nowhere.
    const doing = replay === null ? new Map(activity) : new Map<AttemptId, Activity>();
    const driven = replay === null ? isDriven : true;
    return {
      ...overview(state, now, { activity: doing, isDriven: driven }),
      activity: doing,
      isDriven: driven,
      facts: history.facts,
      upTo: Math.max(1, upTo),
      replay,
      connection,
      unreadable,
    };
  }

  function hear(event: RunEvent): void {
    if (event.kind === "fact") {
      if (event.n !== history.facts.length) return; // told twice, or beyond a gap: whoever follows asks again
      history.add(event.fact);
      if (event.fact.type === "attempt.ended") activity.delete(event.fact.attempt);
    } else if (event.kind === "activity") activity.set(event.activity.attempt, event.activity);
    else if (event.kind === "clock") {
      isDriven = event.isDriven;
      told = { now: event.now, at: clock.now() };
    } else if (event.kind === "live") isTold = true;
    else {
      unreadable = event;
      isTold = true;
    }
    if (isTold) changed();
  }

  function seek(at: EpochMs | null): void {
    const first = history.facts[0]?.at ?? 0;
    const isPast = at !== null && at < liveNow();
    replay = isPast
      ? { speed: replay?.speed ?? 1, isPlaying: replay?.isPlaying ?? false, at: Math.max(first, at) }
      : null;
    if (replay === null) stopPlaying();
    changed();
  }

  function play(speed: Speed | null): void {
    stopPlaying();
    if (speed === null) {
      if (replay !== null) replay = { ...replay, isPlaying: false };
      changed();
      return;
    }
    replay = { at: replay?.at ?? history.facts[0]?.at ?? 0, speed, isPlaying: true };
    let before = clock.now();
    stopPlaying = clock.every(PLAY_MS, () => {
      const now = clock.now();
      if (replay !== null) seek(replay.at + (now - before) * speed);
      before = now;
    });
    changed();
  }

  function step(by: 1 | -1): void {
    const count = replay === null ? history.facts.length : history.countAt(replay.at);
    const wanted = history.facts[count - 1 + by];
    stopPlaying();
    if (replay !== null) replay = { ...replay, isPlaying: false };
    seek(by === 1 && count >= history.facts.length ? null : (wanted?.at ?? history.facts[0]?.at ?? null));
  }

  return {
    moment: () => {
      if (isStale && isTold) [shown, isStale] = [read(), false];
      return shown;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hear,
    connected: (next) => {
      connection = next;
      changed();
    },
    known: () => history.facts.length,
    ...{ seek, play, step },
    close: () => {
      stopTicking();
      stopPlaying();
      listeners.clear();
    },
  };
}
