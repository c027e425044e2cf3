// One child from its start to the end of everything it started. The life of a supervised process:
//
//   running ──it exits────────────────────────────┐
//      └──a clock runs out, or `stop`──► stopping ─┴─► ending what it left ──► draining its pipes ──► ended
//
// `ended` comes whatever the child does (I5): a process that ignores signals is killed, one that cannot be killed is named in
// `leftOver`, a pipe that somebody holds is cut.

import { type Clock, systemClock } from "../util/clock.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { DEFAULT_MAX_LINE_BYTES } from "./lines.ts";
import { ATTEMPT_VARIABLE, type Markers, markedEnv, variableOf } from "./markers.ts";
import type { Masker } from "./mask/masker.ts";
import { drain, type Output, readOutput, type Takers } from "./output.ts";
import { pipesOf } from "./proc-files.ts";
import type { ProcessRef, ProcessTable, StartedProcess } from "./process-entry.ts";
import { identify } from "./process-table.ts";
import { encloseByNothing } from "./sandbox/bare.ts";
import type { Enclose } from "./sandbox/enclosure.ts";
import { type Child, type Invocation, type SpawnFailure, spawnChild } from "./spawn.ts";
import { createStopper, DEFAULT_STOP_TIMES, type StopCause, type Stopper, type StopTimes } from "./stop.ts";
import { createTail, DEFAULT_TAIL_BYTES } from "./tail.ts";
import { type TimeLimits, type Watch, watchLimits } from "./time-limits.ts";
import { followTree, type Tree } from "./tree.ts";

export type SuperviseOptions = Markers &
  Takers & {
    /** What stands around it; left out: nothing does. */
    readonly enclose?: Enclose;
    /** Told which processes live, so that they end even if plait is killed. */
    readonly lifeline?: Lifeline;
    /** A folder that is this process's alone: orphans that work in it are taken for its children. Never the user's tree. */
    readonly worktree?: string;
    readonly limits?: TimeLimits;
    readonly masker?: Masker;
    /** Gets both streams as they come. Whoever opened it closes it. */
    readonly log?: AttemptLog;
    readonly maxLineBytes?: number;
    readonly stderrTailBytes?: number;
    /** Of the limits and of the stop. */
    readonly clock?: Clock;
    readonly times?: Partial<StopTimes>;
    readonly table?: ProcessTable;
  };

/** What a supervisor needs of a reaper. */
export type Lifeline = {
  readonly watch: (started: ProcessRef) => void;
  readonly forget: (started: ProcessRef) => void;
};

/** How a supervised process ended. */
export type Exit = {
  /** Code and signal null: it could not be ended, and is in `leftOver`. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when plait ended it; null when it ended by itself. */
  readonly why: StopCause | null;
  /** Set where what encloses it failed before the program began: then code and signal are not the program's. */
  readonly notRun: SpawnFailure | null;
  /** What could not be ended. */
  readonly leftOver: readonly ProcessRef[];
  /** The pipe was closed before its end, because somebody who cannot be found holds it. */
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** The end of stderr, masked. */
  readonly stderrTail: string;
  readonly durationMs: number;
};

export type Supervised =
  | { readonly ok: false; readonly failure: SpawnFailure }
  | {
      readonly ok: true;
      readonly started: StartedProcess;
      /** INT, TERM, KILL; with `kill` the last one at once. Resolves as `ended` does. */
      readonly stop: (how: { readonly kill: boolean }) => Promise<Exit>;
      /** Rejects only with an error of a taker or of reading /proc, and then after everything was killed. */
      readonly ended: Promise<Exit>;
    };

export async function supervise(invocation: Invocation, options: SuperviseOptions): Promise<Supervised> {
  const { clock = systemClock, worktree = null, lifeline, enclose = encloseByNothing } = options;
  const asked = { ...invocation, env: markedEnv(invocation.env, options) };
  const enclosure = enclose(asked);
  const spawned = await spawnChild({ ...asked, argv: enclosure.argv }, enclosure.pipes);
  if (!spawned.ok) return spawned;
  const { child, exited } = spawned;
  const attended = enclosure.attend(child);
  const begunAt = clock.monotonic();
  const started = await identify(child.pid);
  const pipes = pipesOf(child.pid);
  lifeline?.watch(started);

  const variable = variableOf(ATTEMPT_VARIABLE, options.marker);
  const tree = followTree({ root: started, variable, pipes, folder: worktree }, options.table);
  const times = { ...DEFAULT_STOP_TIMES, ...options.times };
  const stopper = createStopper({ clock, times, signal: attended.signal, prepare: tree.remember });
  const limits = watchLimits(options.limits ?? {}, clock, stopper.ask);
  const reading = readBoth(child, options, limits);
  const exit = Promise.race([exited, stopper.gaveUp.then(() => ({ code: null, signal: null }))]);

  async function attend(): Promise<Exit> {
    const ended = await exit;
    limits.end();
    stopper.exited();
    const leftOver = await endTheRest({ tree, stopper, times, reading });
    if (leftOver.length === 0) lifeline?.forget(started);
    child.stdin?.destroy();
    child.unref(); // if it could not be ended, it must not keep plait from ending
    await reading.ended;
    const durationMs = clock.monotonic() - begunAt;
    const summary = reading.summary();
    const { left, ...end } = await attended.readEnd(ended, summary.stderrTail);
    const known = new Set(leftOver.map(({ pid }) => pid));
    const all = [...leftOver, ...left.filter(({ pid }) => !known.has(pid))];
    return { ...end, why: stopper.cause(), leftOver: all, ...summary, durationMs };
  }

  reading.ended.catch(() => stopper.ask("kill"));
  const ended = attend();
  ended.catch(() => undefined); // whoever awaits it hears of it
  const stop = ({ kill }: { readonly kill: boolean }): Promise<Exit> => {
    stopper.ask(kill ? "kill" : "stop");
    return ended;
  };
  return { ok: true, started, stop, ended };
}

type Rest = {
  readonly tree: Tree;
  readonly stopper: Stopper;
  readonly times: StopTimes;
  readonly reading: Reading;
};

/** What is left when the process itself has ended: those it started, and what is in its pipes. */
async function endTheRest({ tree, stopper, times, reading }: Rest): Promise<ProcessRef[]> {
  let leftOver: ProcessRef[] = [];
  const look = async (graceMs: () => number): Promise<void> => {
    leftOver = await tree.end(graceMs, times.killMs);
  };
  try {
    await look(() => (stopper.isKilling() ? 0 : times.leftoverMs));
  } finally {
    await drain(reading.outputs, { deadlineMs: times.drainMs, look: () => look(() => 0) });
  }
  return leftOver;
}

type Reading = {
  readonly outputs: readonly Output[];
  readonly ended: Promise<unknown>;
  readonly summary: () => Omit<Exit, "code" | "signal" | "notRun" | "why" | "leftOver" | "durationMs">;
};

function readBoth(child: Child, options: SuperviseOptions, limits: Watch): Reading {
  const { masker = null, log = null, maxLineBytes = DEFAULT_MAX_LINE_BYTES } = options;
  const tail = createTail(options.stderrTailBytes ?? DEFAULT_TAIL_BYTES);
  const stdout = readOutput(child.stdout, {
    masker,
    log,
    take: options.onStdout,
    lines: { maxBytes: maxLineBytes, take: options.onLine, heard: limits.heard },
  });
  const stderr = readOutput(child.stderr, {
    masker,
    log,
    take: (bytes) => {
      tail.push(bytes);
      return options.onStderr?.(bytes);
    },
    lines: null,
  });
  return {
    outputs: [stdout, stderr],
    ended: Promise.all([stdout.ended, stderr.ended]),
    summary: () => ({
      ...{ stdoutCut: stdout.wasCut(), stdoutBytes: stdout.bytes() },
      ...{ stderrCut: stderr.wasCut(), stderrBytes: stderr.bytes() },
      stderrTail: tail.bytes().toString(),
    }),
  };
}
