import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { type Overview, overview } from "../../core/select/overview.ts";
import { findRunStatus, type RunStatus } from "../../core/select/run-status.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import type { Connection } from "../source/source.ts";
import { createHistory, type Noticed } from "./history.ts";
import { createLiveClock } from "./live-clock.ts";
import { createReplayer, type Replay, type Replayer, type Speed } from "./replayer.ts";
import { createPacer, type StoreClock } from "./store-clock.ts";

/** One run as it is shown: live, or at a past moment. Every view renders this and nothing else. */
export type Moment = Overview & {
  readonly activity: ReadonlyMap<AttemptId, Activity>;
  readonly isRunning: boolean;
  readonly status: RunStatus;
  /** All facts that are known, later ones too; the first `upTo` are in the state. The same array grows with the run. */
  readonly facts: readonly Fact[];
  readonly upTo: number;
  /** Of all facts, oldest first; later ones too. The same array grows with the run. */
  readonly noticed: readonly Noticed[];
  /** Null while the run is shown live. */
  readonly replay: Replay | null;
  readonly speed: Speed;
  /** As it is now, whatever moment is shown. */
  readonly latest: RunState;
  readonly known: number;
  readonly latestAt: EpochMs;
} & ConnectionState;

export type ConnectionState = {
  readonly connection: Connection;
  /** Why later events are not shown; null where all are. */
  readonly unreadable: Extract<RunEvent, { kind: "unreadable" }> | null;
};

export type RunStore = Pick<Replayer, "play" | "pace" | "step"> & {
  /** Null until all past events are received. */
  readonly moment: () => Moment | null;
  readonly connection: () => ConnectionState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly receive: (event: RunEvent) => void;
  readonly connected: (connection: Connection) => void;
  /** How many facts are known: where to continue after a lost connection. */
  readonly known: () => number;
  /** Shows the run at that moment; null shows it live. */
  readonly seek: (at: EpochMs | null) => void;
  readonly close: () => void;
};

const TICK_MS = 1_000;
/** People do not read faster. */
const DRAW_MS = 100;

export function createRunStore(clock: StoreClock): RunStore {
  const received = receiveRun(clock);
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
    history: received.history,
    clock,
    end: received.end,
    changed: () => changed(true),
  });
  const stopTicking = clock.every(TICK_MS, () => {
    if (replayer.position() === null && received.live.isTicking() && received.isWhole()) changed(false);
  });
  return {
    moment: () => {
      if (isStale && received.isWhole()) [shown, isStale] = [readMoment(received, replayer), false];
      return shown;
    },
    connection: received.connection,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    receive: (event) => {
      received.receive(event);
      if (received.isWhole()) changed(false);
    },
    connected: (connection) => {
      received.connected(connection);
      changed(true);
    },
    known: () => received.history.facts.length,
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

type ReceivedRun = ReturnType<typeof receiveRun>;

/** Everything that was received about a run. */
function receiveRun(clock: StoreClock) {
  const history = createHistory();
  const live = createLiveClock(clock);
  const activity = new Map<AttemptId, Activity>();
  let isWhole = false;
  let connected: ConnectionState = { connection: { kind: "connecting" }, unreadable: null };

  const now = (): EpochMs => live.now(history.facts.at(-1)?.at ?? 0);

  function receiveFact(n: number, fact: Fact): void {
    if (n !== history.facts.length) return; // received twice, or after a gap: the follower requests them again
    history.add(fact);
    if (fact.type === "attempt.ended") activity.delete(fact.attempt);
    // Whether it runs is received once a second: until then a resumed run would look interrupted.
    if (isWhole && fact.type === "run.resumed") live.resumed(fact.at);
  }

  return {
    history,
    activity,
    live,
    now,
    /** The last time that can be shown: never before the last fact, also where a clock was set back. */
    end: (): EpochMs => Math.max(now(), history.timeOf(history.facts.length - 1)),
    /** Whether all past events are received. */
    isWhole: () => isWhole,
    connection: () => connected,
    receive: (event: RunEvent): void => {
      if (event.kind === "fact") receiveFact(event.n, event.fact);
      else if (event.kind === "activity") activity.set(event.activity.attempt, event.activity);
      else if (event.kind === "clock") live.update(event);
      else isWhole = true;
      if (event.kind === "unreadable") connected = { ...connected, unreadable: event };
    },
    connected: (connection: Connection): void => {
      live.connected(connection);
      // A retry has received nothing yet.
      const { connection: before } = connected;
      const isTrying = connection.kind === "connecting" && before.kind === "lost";
      connected = { ...connected, connection: isTrying ? { ...before, retryAt: before.since } : connection };
    },
  };
}

function readMoment(received: ReceivedRun, { position, speed }: Replayer): Moment | null {
  const { history, activity, live } = received;
  const replay = position();
  const latest = history.latest();
  const upTo = replay?.upTo ?? history.facts.length;
  const state = history.stateAfter(upTo);
  if (state === null || latest === null) return null;
  // What agents were doing at a past moment is not recorded.
  const doing: ReadonlyMap<AttemptId, Activity> = new Map(replay === null ? activity : []);
  const isRunning = replay === null ? live.isRunning() : true;
  const now = replay?.at ?? received.now();
  return {
    ...overview(state, now, { activity: doing, isRunning }),
    status: findRunStatus(state, now, isRunning),
    activity: doing,
    isRunning,
    facts: history.facts,
    upTo,
    noticed: history.noticed,
    replay,
    speed: speed(),
    latest,
    known: history.facts.length,
    latestAt: received.end(),
    ...received.connection(),
  };
}
