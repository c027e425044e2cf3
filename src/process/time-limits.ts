import type { Clock, Timer } from "../util/clock.ts";

/** What runs out: no first line, no line for too long, too long altogether. What is not given never runs out. */
export type TimeLimits = {
  readonly startMs?: number;
  readonly idleMs?: number;
  readonly totalMs?: number;
};

export type Expired = "start" | "idle" | "total";

export type Watch = {
  /** A line came. */
  readonly heard: () => void;
  readonly end: () => void;
};

/** How often to look. Between two looks at most this much of a sleep is charged. */
const LOOK_MS = 10_000;
/** A look that comes later than this was not late but asleep: the machine, its virtual machine, or we were suspended. */
const ASLEEP_MS = 30_000;

/** Three clocks on one timer. The time of a suspended machine counts for none of them. `expired` is called at most once. */
export function watchLimits(limits: TimeLimits, clock: Clock, expired: (which: Expired) => void): Watch {
  const times: Times = { started: clock.monotonic(), lastHeard: undefined };
  let lookedAt = 0;
  let dueAt = 0;
  let isOver = false;
  let timer = arm();

  function arm(): Timer {
    lookedAt = clock.monotonic();
    dueAt = Math.min(lookedAt + LOOK_MS, ...deadlinesOf(limits, times).map(([, at]) => at));
    return clock.setTimer(dueAt - lookedAt, look);
  }

  function look(): void {
    const now = clock.monotonic();
    if (now - dueAt > ASLEEP_MS) forgive(times, lookedAt, now);
    // What waits in the pipe is read before we judge: if we were busy for long, the timer comes first.
    if (passed() !== undefined) setImmediate(judge);
    else timer = arm();
  }

  function judge(): void {
    if (isOver) return;
    const which = passed();
    if (which === undefined) {
      timer = arm();
    } else {
      isOver = true;
      expired(which);
    }
  }

  function passed(): Expired | undefined {
    const now = clock.monotonic();
    return deadlinesOf(limits, times).find(([, at]) => at <= now)?.[0];
  }

  return {
    heard: () => {
      times.lastHeard = clock.monotonic();
    },
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
}

type Times = { started: number; lastHeard: number | undefined };

function deadlinesOf(limits: TimeLimits, { started, lastHeard }: Times): [Expired, number][] {
  const { startMs = Infinity, idleMs = Infinity, totalMs = Infinity } = limits;
  return [
    ["total", started + totalMs],
    lastHeard === undefined ? ["start", started + startMs] : ["idle", lastHeard + idleMs],
  ];
}

/** Moves everything that began before the gap by the length of the gap. */
function forgive(times: Times, from: number, to: number): void {
  times.started += to - from;
  if (times.lastHeard !== undefined) times.lastHeard = Math.min(to, times.lastHeard + to - from);
}
