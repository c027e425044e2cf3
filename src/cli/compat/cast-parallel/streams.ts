// The two streams as tasks, and the run of them told in the lines of cast-parallel.

import { openStreamLog, type StreamLog, streamLogName } from "../../../app/cast/stream-log.ts";
import type { LocalRun, PromptPlan, RunState } from "../../../app/index.ts";
import type { Fact } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { formatFailure } from "../../../core/select/failure-text.ts";
import { findNotices, type TaskNotice } from "../../../core/select/notices.ts";
import { pastAttempts } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { progressClock } from "../../present.ts";
import type { ProgressClock } from "../../progress/io.ts";
import { idsOf, letterOf, type Split, type StreamName, taskIn, taskOf, titleOf } from "./split.ts";
import type { Talk } from "./talk.ts";

/** Nothing to do for a stream without batches: it is not started. */
export function streamsOf({ a, b }: Split): readonly { readonly name: StreamName; readonly ids: string }[] {
  const all = [
    { name: "a", ids: idsOf(a) },
    { name: "b", ids: idsOf(b) },
  ] as const;
  return all.filter(({ ids }) => ids !== "");
}

const HOUR = 60 * 60 * 1_000;

/** The path is absolute: an agent that works in a worktree does not see what lies beside the user's. */
export function streamPlan(split: Split, { planId, path }: { planId: string; path: string }): PromptPlan {
  return {
    name: planId.trim() === "" ? "cast-parallel" : planId,
    path,
    prompts: streamsOf(split).map(({ name, ids }) => ({
      flag: taskOf(name),
      id: taskOf(name),
      title: `${titleOf(taskOf(name))}: batches ${ids}`,
      source: { kind: "inline", text: promptOf(name, ids, path) },
    })),
    gates: [],
    landStyle: { as: "merge" }, // the promise of cast-parallel is a merge for each stream
    settings: {
      access: "write",
      retries: 0,
      fixRounds: 0,
      // What its agent had to say may be that nothing is to be done.
      allowEmpty: true,
      startMs: HOUR,
      idleMs: 4 * HOUR,
      totalMs: 24 * HOUR,
    },
  };
}

function promptOf(name: StreamName, ids: string, path: string): string {
  const who = `You are ${titleOf(taskOf(name))} of a parallel execution.`;
  return `Execute batches ${ids} from the plan at ${path}. ${who} Work on the batches assigned to you and on no others. Follow the agent dispatch manifest exactly.\n`;
}

export type Followed = {
  readonly logs: ReadonlyMap<string, StreamLog>;
  /** How the program of a stream ended last. */
  readonly exits: ReadonlyMap<string, number | null>;
  readonly end: () => Promise<void>;
};

export type LogPlace = { readonly tmpDir: string; readonly planId: string; readonly path: string };

/** Says what happens, and keeps the logs of the streams. */
export async function followStreams(
  { view }: LocalRun,
  streams: readonly { readonly name: StreamName }[],
  { talk, place }: { readonly talk: Talk; readonly place: LogPlace },
): Promise<Followed> {
  const logs = new Map<string, StreamLog>();
  for (const { name } of streams) {
    const path = `${place.tmpDir.replace(/(?<=.)\/+$/, "")}/${streamLogName(place.planId, place.path, name)}`;
    const log = await openStreamLog(path, view.folder);
    if (log.problem !== null) talk.warn(`no log ${path}: ${log.problem}`);
    logs.set(taskOf(name), log);
  }
  const exits = new Map<string, number | null>();
  const order = lineOrder([...logs.keys()], talk);
  const worktrees = new Map<string, string>();
  const tellMerge = tellMerging([...logs.keys()], { ...talk, flush: order.flush });
  const unsubscribe = view.subscribe({
    fact: (fact, after, before) => {
      tellFact(fact, { run: after.run, logs, exits, order, worktrees });
      tellMerge(fact, after);
      for (const one of findNotices(fact, before, after)) if (one.task !== null) tellNotice(one, talk);
    },
  });
  return {
    logs,
    exits,
    end: async () => {
      unsubscribe();
      order.flush();
      for (const log of logs.values()) await log.close();
    },
  };
}

type Telling = Pick<Followed, "logs"> & {
  readonly run: string;
  readonly exits: Map<string, number | null>;
  readonly order: LineOrder;
  /** By stream: where its attempt works. */
  readonly worktrees: Map<string, string>;
};

function tellFact(fact: Fact, { run, logs, exits, order, worktrees }: Telling): void {
  if (!("attempt" in fact) || fact.attempt === null) return;
  const task = taskIn(fact.attempt);
  const log = logs.get(task);
  if (fact.type === "attempt.started") {
    worktrees.set(task, fact.worktree);
    log?.follow(fact.attempt);
  }
  if (fact.type === "attempt.spawned") {
    const path = log?.problem === null ? log.path : "none";
    order.started(task, {
      // Reserved when the attempt began, and there now that its agent is.
      worktree: `  ${letterOf(task)}: ${worktrees.get(task) ?? ""} (plait/${run}/tasks/${fact.attempt})`,
      agent: `${titleOf(task)} PID: ${fact.pid} (log: ${path})`,
    });
  }
  if (fact.type !== "attempt.ended") return;
  exits.set(task, fact.exit?.code ?? null);
  void log?.finish(
    fact.attempt,
    fact.failure === null ? null : `plait: ${plainText(formatFailure(fact.failure))}`,
  );
  if (fact.failure === null) order.completed(task, `${titleOf(task)} completed.`);
}

/** Waits that are no end; ends are told together, when all is over. */
function tellNotice(one: TaskNotice, talk: Talk): void {
  const who = titleOf(one.task);
  if (one.kind === "retry") talk.warn(`${who}: ${plainText(one.why)}; retrying`);
  if (one.kind === "paused") talk.warn(`${who} paused: ${plainText(one.why)}`);
  if (one.kind === "held") talk.warn(`${who} needs you: ${one.why}`);
}

/** `flush` prints lines that are held back and come before. */
type MergeTalk = Pick<Talk, "info" | "success" | "warn"> & { readonly flush: () => void };

/**
 * The lines about the merging, each when it is so. Streams are merged in the order in which they end, the later into the
 * earlier; that all of them have ended is when the results begin to come together.
 */
function tellMerging(
  streams: readonly string[],
  { flush, ...talk }: MergeTalk,
): (fact: Fact, after: RunState) => void {
  const changed = new Map<string, boolean>();
  const merged: string[] = [];
  return (fact, after) => {
    if (fact.type === "attempt.saved" && isDone(after, fact.attempt)) {
      changed.set(taskIn(fact.attempt), fact.changed);
      if (changed.size === streams.length && [...changed.values()].includes(true)) {
        flush();
        talk.info("Merging results...");
      }
    }
    if (fact.type === "integration.advanced")
      for (const { task } of fact.tasks) {
        const [earlier] = merged;
        merged.push(task);
        if (earlier !== undefined) talk.success(`Merged ${titleOf(task)} into ${titleOf(earlier)}.`);
      }
    if (fact.type === "run.landed") {
      const what = merged.length === 1 ? titleOf(merged[0] ?? "") : "combined result";
      talk.success(`Merged ${what} into ${shortRef(fact.target)}.`);
      for (const note of fact.notes) talk.warn(note);
      talk.info("Cleaning up worktrees...");
    }
  };
}

function isDone(state: RunState, id: AttemptId): boolean {
  return pastAttempts(state).some(({ attempt }) => attempt.id === id && attempt.ended.failure === null);
}

/**
 * The lines of both streams in the order that cast-parallel had: the worktrees, who was started, A before B, that they are
 * waited for, who has completed. Streams start and end as they like, so a line that is early waits for those before it, but
 * never for long.
 */
export type LineOrder = {
  readonly started: (task: string, lines: StartLines) => void;
  readonly completed: (task: string, line: string) => void;
  /** Prints whatever still waits. */
  readonly flush: () => void;
};

/** The worktree of a stream is there, and its agent was started in it. */
export type StartLines = { readonly worktree: string; readonly agent: string };

const LONGEST_MS = 2_000;

/** `tasks` in the order of their lines. */
export function lineOrder(
  tasks: readonly string[],
  talk: Talk,
  clock: ProgressClock = progressClock,
): LineOrder {
  const started = new Set<string>();
  const early = { started: new Map<string, StartLines>(), completed: new Map<string, string>() };
  let [isLaunched, isWaiting] = [false, false];
  let timer: ReturnType<ProgressClock["setTimer"]> | null = null;
  const takeAll = <Line>(lines: Map<string, Line>): Line[] => {
    const taken = tasks.flatMap((task) => lines.get(task) ?? []);
    lines.clear();
    return taken;
  };
  const sayStarted = (lines: readonly StartLines[]): void => {
    if (lines.length === 0) return;
    if (!isLaunched) talk.success("Worktrees created:");
    for (const { worktree } of lines) talk.detail(worktree);
    if (!isLaunched) talk.info("Launching parallel sessions...");
    isLaunched = true;
    for (const { agent } of lines) talk.info(agent);
  };
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    sayStarted(takeAll(early.started));
    if (!isWaiting && started.size === tasks.length) {
      isWaiting = true;
      talk.info("Waiting for parallel sessions to complete...");
    }
    for (const line of takeAll(early.completed)) talk.success(line);
  };
  const later = (): void => {
    timer ??= clock.setTimer(LONGEST_MS, flush);
  };
  return {
    started: (task, lines) => {
      early.started.set(task, lines);
      started.add(task);
      if (started.size === tasks.length) flush();
      else later();
    },
    completed: (task, line) => {
      early.completed.set(task, line);
      if (isWaiting) flush();
      else later();
    },
    flush,
  };
}
