import { type Clock, ownTimers } from "../util/clock.ts";
import { deferred } from "../util/deferred.ts";
import { waitFor } from "./pause.ts";
import type { Expired } from "./time-limits.ts";

/** Why plait ended a process. */
export type StopCause = Expired | "stop" | "kill";

/** How long each step of a stop may take. */
export type StopTimes = {
  /** From INT to TERM: agents write their result and end their tools. */
  readonly intMs: number;
  /** From TERM to KILL. */
  readonly termMs: number;
  /** From TERM to KILL for what a process leaves behind when it ends. */
  readonly leftoverMs: number;
  /** From KILL to giving up. */
  readonly killMs: number;
  /** From the end of all of them to closing pipes that somebody still holds. */
  readonly drainMs: number;
};

/** At most five seconds from INT until all are gone. */
export const DEFAULT_STOP_TIMES: StopTimes = {
  intMs: 3_000,
  termMs: 1_000,
  leftoverMs: 300,
  killMs: 900,
  drainMs: 2_000,
};

export type Stopper = ReturnType<typeof createStopper>;

const PREPARE_MS = 500;

type Options = {
  readonly clock: Clock;
  readonly times: StopTimes;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Done before the first signal: what belongs to the process can still be told. */
  readonly prepare: () => Promise<void>;
};

/**
 * The order in which a process is ended:
 *
 *     running ──ask──► INT ──intMs──► TERM ──termMs──► KILL ──killMs──► gave up
 *        └──────────────┴──ask("kill")──┴───────────────┘
 *     and from each of them to `exited`
 */
export function createStopper({ clock, times, signal, prepare }: Options) {
  const timers = ownTimers(clock);
  let cause: StopCause | null = null;
  let isKilling = false;
  let hasExited = false;
  const { promise: gaveUp, resolve: giveUp } = deferred<void>();

  function kill(): void {
    timers.cancelAll();
    isKilling = true;
    signal("SIGKILL");
    timers.after(times.killMs, giveUp);
  }

  function terminate(): void {
    signal("SIGTERM");
    timers.after(times.termMs, kill);
  }

  async function begin(): Promise<void> {
    // The order of signals does not depend on it, so it may neither fail nor take long.
    await waitFor(
      prepare().catch(() => undefined),
      PREPARE_MS,
    );
    if (hasExited || isKilling) return;
    if (cause === "kill") {
      kill();
    } else {
      signal("SIGINT");
      timers.after(times.intMs, terminate);
    }
  }

  return {
    /** The first cause counts, except that a kill after a stop is a kill. */
    ask: (asked: StopCause): void => {
      if (hasExited) {
        isKilling ||= asked === "kill";
      } else if (cause === null) {
        cause = asked;
        void begin();
      } else if (asked === "kill" && !isKilling) {
        if (cause === "stop") cause = "kill";
        kill();
      }
    },
    cause: (): StopCause | null => cause,
    /** True when nobody is asked to end any more, only killed. */
    isKilling: (): boolean => isKilling,
    /** Resolves if the process is still there a while after it was killed. */
    gaveUp,
    /** The process has ended: from now on `ask` only says whether to be patient with what it left. */
    exited: (): void => {
      hasExited = true;
      timers.cancelAll();
    },
  };
}
