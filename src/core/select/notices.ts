import { pastMs } from "../attempt-times.ts";
import type { EpochMs, Fact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { type Oid, type RefName, splitAttemptId, type TaskId } from "../ids.ts";
import type { AgentChoice, Task } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState, TaskPhase, TaskState } from "../run-state.ts";
import { isSelected, taskState } from "../run-tasks.ts";
import { get } from "../sorted-map.ts";
import type { Sentence } from "../text/sentence.ts";
import { type AttemptNumber, numberAttempt, numberLastAttempt, numberNextAttempt } from "./attempt-number.ts";
import { endsByCheck, formatFailure, formatFailureRest, formatLimit } from "./failure-text.ts";
import { commandText } from "./preview/commands.ts";
import { findRunLevelNotices, type RunNotice } from "./run-notices.ts";
import { changedTasks } from "./task-lists.ts";
import { findSkipCause, type SkipCause } from "./task-status.ts";
import { sum } from "./totals.ts";

/**
 * What one fact changed that a person wants to see: the lines that stay. They come from comparing the states before and after, not from
 * the fact, so that an echo, which the fold ignores, makes none.
 */
export type Notice = TaskNotice | RunNotice;

export type TaskNotice = { readonly at: EpochMs; readonly task: TaskId } & TaskNoticeBody;

type TaskNoticeBody =
  | {
      readonly kind: "start";
      /** Both null where a person hands their work in. */
      readonly agent: AgentChoice | null;
      readonly command: string | null;
      readonly number: AttemptNumber;
    }
  | {
      readonly kind: "merged" | "passed";
      readonly commit: Oid | null;
      readonly workMs: number;
      readonly costUsd: number | null;
      /** The one whose work it is. */
      readonly last: AttemptNumber | null;
      readonly gates: number;
    }
  | {
      readonly kind: "retry";
      readonly failure: AttemptFailure;
      readonly why: Sentence;
      /** The same behind `formatFailureWord`. */
      readonly rest: Sentence;
      readonly next: AttemptNumber;
      readonly inMs: number;
    }
  | {
      readonly kind: "failed";
      readonly failure: AttemptFailure;
      readonly why: Sentence;
      readonly last: AttemptNumber | null;
      readonly kept: RefName | null;
    }
  | {
      readonly kind: "paused";
      readonly why: Sentence;
      readonly until: EpochMs;
      /** The time is that of the next check. */
      readonly isCheck: boolean;
    }
  | { readonly kind: "held"; readonly why: string }
  /** A person has it, and its worktree is there. */
  | { readonly kind: "open"; readonly worktree: string; readonly conflicts: number }
  | { readonly kind: "skipped"; readonly because: SkipCause | null }
  | { readonly kind: "dropped" }
  /** An attempt was ended on request, and the task goes on another time. */
  | { readonly kind: "stopped"; readonly kept: RefName | null };

export function findNotices(fact: Fact, before: RunState, after: RunState): Notice[] {
  const changed = changedTasks(before, after);
  const attempt = "attempt" in fact ? fact.attempt : null;
  const first = attempt === null ? undefined : after.index.indexOf.get(splitAttemptId(attempt).task);
  const ordered = [...changed].sort((a, b) => Number(b === first) - Number(a === first) || a - b);
  return [
    ...ordered.flatMap((i) => ofTask({ fact, before, after, i })),
    ...findRunLevelNotices(fact, before, after),
  ];
}

type Change = {
  readonly fact: Fact;
  readonly before: RunState;
  readonly after: RunState;
  readonly i: number;
};

function ofTask({ fact, before, after, i }: Change): TaskNotice[] {
  const task = taskAt(after.index, i);
  // Indices belong to a plan: after a revision the same task may have another one.
  const j = before.index === after.index ? i : before.index.indexOf.get(task.id);
  const was = j === undefined ? undefined : get(before.tasks, j);
  const is = taskState(after, i);
  if (was === undefined || was === is || !isSelected(after, task.id)) return [];
  if (fact.type === "task.opened") return []; // told when the worktree is there
  const about = { at: fact.at, task: task.id };
  const started = startOf(task, was, is);
  if (started !== null) return [{ ...about, ...started }];
  const stopped = stoppedAttempt(was, is);
  const opened = openedFor(was, is);
  if (opened !== null) return [{ ...about, ...opened }];
  if (was.phase === is.phase || isSameWait(was.phase, is.phase)) return [];
  if (is.phase.kind === "merged" && fact.type !== "integration.advanced") return []; // as before: nothing was fitted
  const reached = reachedPhase({ state: after, at: fact.at }, task, is);
  if (reached !== null) return [{ ...about, ...reached }];
  return stopped === null ? [] : [{ ...about, kind: "stopped", kept: keptRef(stopped) }];
}

function startOf(task: Task, was: TaskState, is: TaskState): TaskNoticeBody | null {
  const attempt = is.live.at(-1);
  if (is.started <= was.started || attempt === undefined) return null;
  const { work } = task;
  return {
    kind: "start",
    agent: work.kind === "agent" && attempt.author === "agent" ? work.agent : null,
    command: work.kind === "command" && attempt.author === "agent" ? commandText(work.run) : null,
    number: numberAttempt(attempt),
  };
}

function openedFor({ open: before }: TaskState, { open }: TaskState): TaskNoticeBody | null {
  if (open === null || open.worktree === null || before?.worktree === open.worktree) return null;
  return { kind: "open", worktree: open.worktree, conflicts: open.conflicts.length };
}

/** A resume shortens waits and a probe ends them; the reason was told when the wait began. */
function isSameWait(was: TaskPhase, is: TaskPhase): boolean {
  if (was.kind === "parked" && is.kind === "parked") return was.why === is.why && is.until <= was.until;
  return was.kind === "backoff" && is.kind === "backoff" && was.failure === is.failure;
}

type Reached = { readonly state: RunState; readonly at: EpochMs };

function reachedPhase({ state, at }: Reached, task: Task, is: TaskState): TaskNoticeBody | null {
  const { phase } = is;
  switch (phase.kind) {
    case "merged":
    case "passed":
      return done(task, is, phase);
    case "backoff": {
      const why = formatFailure(phase.failure, task.limits);
      const inMs = Math.max(0, phase.until - at);
      const rest = formatFailureRest(phase.failure, task.limits);
      return { kind: "retry", failure: phase.failure, why, rest, next: numberNextAttempt(task, is), inMs };
    }
    case "parked": {
      const agent = task.work.kind === "agent" ? task.work.agent.use : null;
      const { why, until } = phase;
      return { kind: "paused", why: formatLimit(agent, why), until, isCheck: endsByCheck(why) };
    }
    case "failed": {
      const why = formatFailure(phase.failure, task.limits);
      const [last, kept] = [numberLastAttempt(is), keptRef(is.past.at(-1))];
      return { kind: "failed", failure: phase.failure, why, last, kept };
    }
    case "held":
      return { kind: "held", why: phase.why };
    case "skipped":
      return { kind: "skipped", because: findSkipCause(state, phase.because) };
    case "cancelled":
      return { kind: "dropped" };
    default:
      return null;
  }
}

function done(task: Task, is: TaskState, phase: TaskPhase): TaskNoticeBody {
  const { past } = is;
  const costs = past.map(({ ended }) => ended.usage.costUsd).filter((usd) => usd !== null);
  return {
    kind: phase.kind === "passed" ? "passed" : "merged",
    commit: phase.kind === "merged" ? phase.commit : null,
    workMs: sum(past, pastMs),
    costUsd: costs.length === 0 ? null : sum(costs, (usd) => usd),
    last: numberLastAttempt(is),
    gates: phase.kind === "merged" && phase.proven ? task.gates.length : 0,
  };
}

/** The attempt that this fact ended on request, or because plait died or could not start it. */
function stoppedAttempt(was: TaskState, is: TaskState): PastAttempt | null {
  const last = is.past.length > was.past.length ? is.past.at(-1) : undefined;
  const { failure = null } = last ?? {};
  if (last === undefined || failure === null) return null;
  const isAsked = failure.reason === "cancelled" && failure.because !== "superseded";
  return isAsked || failure.reason === "orphaned" || failure.reason === "not-started" ? last : null;
}

function keptRef(past: PastAttempt | undefined): RefName | null {
  return past?.saved.changed === true ? past.saved.ref : null;
}
