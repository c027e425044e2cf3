import type { Activity } from "../activity.ts";
import { mayCheckWork } from "../base-check.ts";
import type { AccountLimitReason, EpochMs } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import { isOverBudget } from "../landing.ts";
import type { Task, TimeLimits } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { Candidate, LiveAttempt, OpenTask, RunState, TaskPhase, TaskState } from "../run-state.ts";
import { findTask, taskState } from "../run-tasks.ts";
import { type Block, findBlocker } from "./blocking.ts";

/**
 * The status of a task, decided here and nowhere else. Each `kind` is the word that people read; task-status-text.ts adds the rest of the
 * sentence.
 */
export type TaskStatus =
  /** `block` is null where it is about to start, or where the run is not running and all it needs is done. */
  | { readonly kind: "waiting"; readonly block: Block | null; readonly agent: string | null }
  /** `reason`: why a program that is ready to start has not. */
  | { readonly kind: "preparing"; readonly reason: string | null }
  | { readonly kind: "running" | "fixing" | "saving"; readonly isStopping: boolean }
  /** `gate` is null where none is left, or where it waits for the base check. */
  | { readonly kind: "checking"; readonly gate: CheckedGate | null; readonly isBaseFirst: boolean }
  /** `ahead`: how it does on top of those before it; null where it is not tried there yet. */
  | {
      readonly kind: "queued";
      readonly place: number;
      readonly isBaseFirst: boolean;
      readonly ahead: Trial | null;
    }
  | { readonly kind: "merging"; readonly isBaseFirst: boolean; readonly trial: Trial | null }
  | {
      readonly kind: "retrying";
      readonly until: EpochMs;
      readonly failure: AttemptFailure;
      readonly limits: TimeLimits;
    }
  | {
      readonly kind: "paused";
      readonly until: EpochMs | null;
      readonly reason: AccountLimitReason;
      readonly agent: string | null;
    }
  | {
      readonly kind: "held";
      readonly reason: string;
      /** Its work is checked and only waits for approval. */
      readonly isChecked: boolean;
      readonly open: OpenTask | null;
      readonly limits: TimeLimits;
    }
  | { readonly kind: "merged"; readonly commit: Oid }
  | { readonly kind: "passed"; readonly isReadOnly: boolean }
  | { readonly kind: "failed"; readonly failure: AttemptFailure; readonly limits: TimeLimits }
  /** `because` is null where it was not selected. */
  | {
      readonly kind: "skipped";
      readonly because: SkipCause | null;
    }
  | { readonly kind: "dropped" }
  /** It was started. When the run is resumed, work that has ended is checked and merged; an interrupted attempt runs again. */
  | {
      readonly kind: "stopped" | "interrupted";
      readonly isQueued: boolean;
      readonly isContinued: boolean;
      readonly isOverBudget: boolean;
    };

/** The task that a skipped one needs. */
export type SkipCause = { readonly task: TaskId; readonly kind: "failed" | "dropped" | "skipped" };

export type StatusKind = TaskStatus["kind"];

export type CheckedGate = { readonly name: string; readonly n: number; readonly of: number };

/** Merged with those before it, and checked there. */
export type Trial = {
  /** Gates that are not green yet, the running one first. */
  readonly gates: readonly string[];
  readonly isRed: boolean;
  /** How many tasks are merged together. */
  readonly tasks: number;
};

/** Who moves a task next. */
export type NextActor = "agents" | "plait" | "clock" | "you" | "later" | "done";

export const nextActorByKind: { readonly [K in StatusKind]: NextActor } = {
  running: "agents",
  fixing: "agents",
  preparing: "plait",
  saving: "plait",
  checking: "plait",
  queued: "plait",
  merging: "plait",
  retrying: "clock",
  paused: "clock",
  held: "you",
  failed: "you",
  waiting: "later",
  skipped: "later",
  dropped: "later",
  stopped: "later",
  interrupted: "later",
  merged: "done",
  passed: "done",
};

/** It has begun, and continues when the run is resumed. */
export const isToContinue = ({ kind }: TaskStatus): boolean => kind === "stopped" || kind === "interrupted";

/** Every word for the status of a task. */
export const STATUS_KINDS = Object.keys(nextActorByKind) as readonly StatusKind[];

/** What a journal does not say. */
export type TaskContext = {
  readonly state: RunState;
  readonly i: number;
  readonly task: Task;
  readonly activity: ReadonlyMap<AttemptId, Activity>;
  readonly isRunning: boolean;
};

/** What status shows of a task: the run as it is recorded, and whether a plait process runs it. */
export type SeenRun = { readonly state: RunState; readonly isRunning: boolean };

/** Of one task, for sentences about it. */
export function findStatusIn({ state, isRunning }: SeenRun, id: TaskId): TaskStatus | null {
  const i = state.index.indexOf.get(id);
  if (i === undefined) return null;
  const context = { state, i, task: taskAt(state.index, i), activity: new Map(), isRunning };
  return findTaskStatus(context, listTasksToMergeNow(state).has(id));
}

export function findTaskStatus(context: TaskContext, isTurn: boolean): TaskStatus {
  const { state, i, task, isRunning } = context;
  const of = taskState(state, i);
  const atRest = findRest(state, of, isRunning);
  if (atRest !== null) {
    const isQueued = of.phase.kind === "queued";
    const isContinued = of.fix !== null || of.live.some(isFinished);
    return { kind: atRest, isQueued, isContinued, isOverBudget: !isQueued && isOverBudget(state) };
  }
  const { phase } = of;
  const { limits } = task;
  // Before what the task itself waits for: the same limit, in the same words, as in the lines about the run.
  const limit = isRunning ? findLimit(context, phase) : null;
  if (limit !== null) return limit;
  switch (phase.kind) {
    case "active":
      return findActiveStatus(context, pickLeading(of));
    case "queued":
      return findQueueStatus(context, isTurn);
    case "waiting": {
      const isBlocked = of.unmet > 0 || isRunning;
      const block = isBlocked ? findBlocker(state, task.id, state.clock) : null;
      return { kind: "waiting", block, agent: findAgent(task) };
    }
    case "backoff":
      return { kind: "retrying", until: phase.until, failure: phase.failure, limits };
    case "parked":
      return { kind: "paused", until: null, reason: phase.why, agent: findAgent(task) };
    case "held":
      return { kind: "held", reason: phase.why, isChecked: phase.proven !== null, open: of.open, limits };
    case "failed":
      return { kind: "failed", failure: phase.failure, limits };
    case "merged":
      return { kind: "merged", commit: phase.commit };
    case "passed":
      return { kind: "passed", isReadOnly: task.access === "read-only" };
    case "skipped":
      return { kind: "skipped", because: findSkipCause(state, phase.because) };
    case "cancelled":
      return { kind: "dropped" };
  }
}

/** The agent is done with it: a resume saves and checks its work, and starts no attempt for it. */
const isFinished = ({ stage }: LiveAttempt): boolean =>
  stage.kind === "gate" || (stage.kind === "save" && stage.ended.failure === null);

/** Of attempts that race, the first that is not stopped. */
export const pickLeading = ({ live }: TaskState): LiveAttempt | null =>
  live.find(({ stop }) => stop === null) ?? live[0] ?? null;

const findAgent = ({ work }: Task): string | null => (work.kind === "agent" ? work.agent.use : null);

function findLimit({ state, task }: TaskContext, { kind }: TaskPhase): TaskStatus | null {
  if (!TIMED.has(kind)) return null;
  const block = findBlocker(state, task.id, state.clock);
  if (block?.kind !== "account") return null;
  const until = block.until > state.clock ? block.until : null;
  return { kind: "paused", until, reason: block.why, agent: findAgent(task) };
}

export function findSkipCause(state: RunState, task: TaskId | null): SkipCause | null {
  if (task === null) return null;
  const kind = findTask(state, task)?.phase.kind;
  return { task, kind: kind === "cancelled" ? "dropped" : kind === "skipped" ? "skipped" : "failed" };
}

function findActiveStatus({ state, i, task, activity }: TaskContext, live: LiveAttempt | null): TaskStatus {
  const isStopping = live?.stop != null;
  switch (live?.stage.kind) {
    case "run":
      return { kind: live.count?.kind === "fix" ? "fixing" : "running", isStopping };
    case "save":
      return { kind: "saving", isStopping };
    case "gate": {
      const isBaseFirst = findBlocker(state, task.id, state.clock)?.kind === "base";
      const { missing } = live.stage;
      const of = Math.max(state.index.checks[i]?.length ?? 0, missing.length);
      const [next] = missing;
      const n = Math.max(1, of - missing.length + 1);
      return {
        kind: "checking",
        gate: next === undefined ? null : { name: next.gate.name, n, of },
        isBaseFirst,
      };
    }
    default:
      return {
        kind: "preparing",
        reason: live === null ? null : (activity.get(live.id)?.wait?.reason ?? null),
      };
  }
}

function findQueueStatus({ state, task }: TaskContext, isTurn: boolean): TaskStatus {
  const block = findBlocker(state, task.id, state.clock);
  const isBaseFirst = block?.kind === "base";
  const candidate = findCandidate(state, task.id);
  const trial = candidate === undefined ? null : describeTrial(candidate);
  if (isTurn) return { kind: "merging", isBaseFirst, trial };
  return { kind: "queued", isBaseFirst, ahead: trial, place: block?.kind === "queue" ? block.ahead + 1 : 1 };
}

/** The tasks of the first candidate; before it is built, the head of the queue. */
export function listTasksToMergeNow({ candidates, indices, index }: RunState): ReadonlySet<TaskId> {
  const [head] = candidates;
  if (head !== undefined) return new Set(head.tasks.map(({ task }) => task));
  let first = indices.queue;
  while (first !== null && first.left !== null) first = first.left;
  return new Set(first === null ? [] : [taskAt(index, first.value).id]);
}

export const findCandidate = (state: RunState, task: TaskId): Candidate | undefined =>
  state.candidates.find(({ tasks }) => tasks.some((entry) => entry.task === task));

const describeTrial = ({ missing, red, tasks }: Candidate): Trial => ({
  gates: missing.map(({ gate }) => gate.name),
  isRed: red !== null,
  tasks: tasks.length,
});

/** A run that has ended has neither a clock nor a queue. One that stops still merges the queue and checks finished attempts. */
function findRest(state: RunState, of: TaskState, isRunning: boolean): "stopped" | "interrupted" | null {
  if (isStopped(state, of)) return "stopped";
  return !isRunning && state.ended === null && hasBegun(of) ? "interrupted" : null;
}

function isStopped(state: RunState, of: TaskState): boolean {
  const { stopping, ended } = state;
  if (of.phase.kind === "queued") return ended !== null;
  if (!hasBegun(of)) return false;
  if (of.live.length === 0) return stopping !== null || ended !== null;
  return ended !== null || (!mayCheckWork(state) && of.live.every(({ stage }) => stage.kind === "gate"));
}

/** It is neither over nor held, and its work so far waits for the run to continue. */
function hasBegun({ phase, unmet, past }: TaskState): boolean {
  if (phase.kind === "active" || phase.kind === "queued") return true;
  return TIMED.has(phase.kind) && unmet === 0 && past.length > 0;
}

const TIMED: ReadonlySet<TaskPhase["kind"]> = new Set(["waiting", "backoff", "parked"]);
