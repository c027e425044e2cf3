import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { type Overview, overview } from "../../core/select/overview.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import type { Connection } from "../source/source.ts";
import { createHistory, type Happened, type History } from "./history.ts";
import { createLiveClock, type LiveClock } from "./live-clock.ts";
import { createReplayer, type Replay, type Replayer, type Speed } from "./replayer.ts";
import { createPacer, type StoreClock } from "./store-clock.ts";

/** One run as the page shows it: live, or at a moment of its past. Every view draws this and nothing else. */
export type Moment = Overview & {
  readonly activity: ReadonlyMap<AttemptId, Activity>;
  readonly isDriven: boolean;
  /** All facts that are known, later ones too; the first `upTo` are in the state. The same array grows with the run. */
  readonly facts: readonly Fact[];
  readonly upTo: number;
  /** What all facts changed, oldest first; later ones too. The same array grows with the run. */
  readonly happened: readonly Happened[];
  /** Null while the page shows what happens now. */
  readonly replay: Replay | null;
  /** How fast a replay is played. */
  readonly speed: Speed;
  /** As it is now, whatever moment is shown, after so many facts. */
  readonly latest: RunState;
  readonly known: number;
  readonly latestAt: EpochMs;
} & Hearing;

/** How well the page hears of the run. */
export type Hearing = {
  readonly connection: Connection;
  /** Why the facts from here on are not shown; null where all are. */
  readonly unreadable: Extract<RunEvent, { kind: "unreadable" }> | null;
};

export type RunStore = Pick<Replayer, "play" | "pace" | "step"> & {
  /** Null until the past is told. */
  readonly moment: () => Moment | null;
  readonly hearing: () => Hearing;
  readonly subscribe: (listener: () => void) => () => void;
  readonly hear: (event: RunEvent) => void;
  readonly connected: (connection: Connection) => void;
  /** How many facts are known: where to go on after a connection was lost. */
  readonly known: () => number;
  /** Shows the run at that moment; null goes back to what happens now. */
  readonly seek: (at: EpochMs | null) => void;
  readonly close: () => void;
};

const TICK_MS = 1_000;
/** However much happens, nobody reads faster. */
const DRAW_MS = 100;

export function createRunStore(clock: StoreClock): RunStore {
  const told = createTold(clock);
  const listeners = new Set<() => void>();
  let shown: Moment | null = null;
  let isStale = true;
  const pacer = createPacer(clock, DRAW_MS, () => {
    for (const listener of listeners) listener();
  });
  const changed = (isAsked: boolean): void => {
    isStale = true;
    if (isAsked) pacer.fire();
    else pacer.ask();
  };
  const replayer = createReplayer({
    history: told.history,
    clock,
    end: told.end,
    changed: () => changed(true),
  });
  const stopTicking = clock.every(TICK_MS, () => {
    if (replayer.position() === null && told.live.isTicking() && told.isWhole()) changed(false);
  });
  return {
    moment: () => {
      if (isStale && told.isWhole()) [shown, isStale] = [readMoment(told, replayer), false];
      return shown;
    },
    hearing: told.hearing,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hear: (event) => {
      told.hear(event);
      if (told.isWhole()) changed(false);
    },
    connected: (connection) => {
      told.connected(connection);
      changed(true);
    },
    known: () => told.history.facts.length,
    seek: replayer.seek,
    play: replayer.play,
    pace: replayer.pace,
    step: replayer.step,
    close: () => {
      stopTicking();
      replayer.close();
      pacer.close();
      listeners.clear();
    },
  };
}

/** Everything that was heard of a run. */
type Told = {
  readonly history: History;
  readonly activity: ReadonlyMap<AttemptId, Activity>;
  readonly live: LiveClock;
  readonly now: () => EpochMs;
  /** Where the time that can be looked at ends: never before the last fact, also where a clock was set back. */
  readonly end: () => EpochMs;
  /** Whether the past is told. */
  readonly isWhole: () => boolean;
  readonly hearing: () => Hearing;
  readonly hear: (event: RunEvent) => void;
  readonly connected: (connection: Connection) => void;
};

function createTold(clock: StoreClock): Told {
  const history = createHistory();
  const live = createLiveClock(clock);
  const activity = new Map<AttemptId, Activity>();
  let isWhole = false;
  let hearing: Hearing = { connection: { kind: "connecting" }, unreadable: null };

  const now = (): EpochMs => live.now(history.facts.at(-1)?.at ?? 0);

  function hearFact(n: number, fact: Fact): void {
    if (n !== history.facts.length) return; // told twice, or beyond a gap: whoever follows asks again
    history.add(fact);
    if (fact.type === "attempt.ended") activity.delete(fact.attempt);
    // Who drives is told once a second: until then it would look as if a run that goes on were cut off.
    if (isWhole && fact.type === "run.resumed") live.taken(fact.at);
  }

  return {
    history,
    activity,
    live,
    now,
    end: () => Math.max(now(), history.timeOf(history.facts.length - 1)),
    isWhole: () => isWhole,
    hearing: () => hearing,
    hear: (event) => {
      if (event.kind === "fact") hearFact(event.n, event.fact);
      else if (event.kind === "activity") activity.set(event.activity.attempt, event.activity);
      else if (event.kind === "clock") live.told(event);
      else isWhole = true;
      if (event.kind === "unreadable") hearing = { ...hearing, unreadable: event };
    },
    connected: (connection) => {
      live.connected(connection);
      // Whoever tries again at once has not heard anything yet.
      const { connection: before } = hearing;
      const isTrying = connection.kind === "connecting" && before.kind === "lost";
      hearing = { ...hearing, connection: isTrying ? { ...before, retryAt: before.since } : connection };
    },
  };
}

function readMoment(told: Told, { position, speed }: Replayer): Moment | null {
  const { history, activity, live } = told;
  const replay = position();
  const latest = history.latest();
  const upTo = replay?.upTo ?? history.facts.length;
  const state = history.stateAfter(upTo);
  if (state === null || latest === null) return null;
  // What agents were doing at a moment of the past is written nowhere.
  const doing: ReadonlyMap<AttemptId, Activity> = new Map(replay === null ? activity : []);
  const isDriven = replay === null ? live.isDriven() : true;
  return {
    ...overview(state, replay?.at ?? told.now(), { activity: doing, isDriven }),
    activity: doing,
    isDriven,
    facts: history.facts,
    upTo,
    happened: history.happened,
    replay,
    speed: speed(),
    latest,
    known: history.facts.length,
    latestAt: told.end(),
    ...told.hearing(),
  };
}
