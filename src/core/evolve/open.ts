import type { Revision, TypedFact, WorktreeOpened } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { type AttemptId, attemptId, splitAttemptId } from "../ids.ts";
import { findTargetBase } from "../queries.ts";
import type { OpenTask, PastAttempt, RunState, TaskState } from "../run-state.ts";
import { changeTask, isSatisfied, taskState } from "../run-tasks.ts";
import { unskipDependents } from "./dependents.ts";

/**
 * A person takes a task over. Its worktree is made ready for them, with what the last attempt left in it, and stays theirs
 * until they hand it in (an attempt of their own begins, at its save) or give the task up. Meanwhile the task is held.
 */

export function onTaskOpened(state: RunState, i: number, fact: TypedFact<"task.opened">): RunState {
  const task = taskState(state, i);
  const { attempt, continues, base } = fact;
  if (splitAttemptId(attempt).n !== task.started + 1 || task.open !== null) return state;
  if (isSatisfied(task.phase) || task.phase.kind === "queued" || task.live.length > 0) return state;
  const before = task.past.find(({ id }) => id === continues);
  return withOpen(state, i, { attempt, base, before, why: "finish it, then submit it" });
}

export function onWorktreeOpened(
  state: RunState,
  { attempt, worktree, conflicts }: WorktreeOpened,
): RunState {
  const i = state.index.indexOf.get(splitAttemptId(attempt).task);
  const open = i === undefined ? null : taskState(state, i).open;
  if (i === undefined || open?.attempt !== attempt || open.worktree !== null) return state;
  return changeTask(state, i, { open: { ...open, worktree, conflicts } });
}

/** What the person handed in did not pass: they have it again, with what was found. */
export function openAgain(
  state: RunState,
  i: number,
  { attempt, failure }: { attempt: AttemptId; failure: AttemptFailure },
): RunState {
  const task = taskState(state, i);
  const before = task.past.find(({ id }) => id === attempt);
  const next = attemptId(splitAttemptId(attempt).task, task.started + 1);
  const base = openBase(state, before);
  return withOpen(state, i, { attempt: next, base, before, why: failure.detail });
}

/** Where the person's work is cut: at the tip where that has to be fitted in, else where the attempt was. */
export function openBase(state: RunState, before: PastAttempt | undefined): Revision {
  const join = before === undefined ? null : findTargetBase(state, splitAttemptId(before.id).task);
  if (join !== null) return join;
  return before === undefined || needsTip(before.failure) ? state.tip : before.base;
}

/** What a person goes on with: the last attempt that left something. */
export function workToOpen({ past }: TaskState): PastAttempt | undefined {
  return past.findLast(({ saved }) => saved.changed);
}

/** Of merged work: that of the attempt which was merged, else the last one that an agent had; a person has none. */
export function conversationToContinue({ phase, past }: TaskState): AttemptId | null {
  const merged = phase.kind === "merged" ? phase.attempt : null;
  const talks = past.filter(({ ended }) => ended.conversation !== null).map(({ id }) => id);
  return talks.find((id) => id === merged) ?? talks.at(-1) ?? merged;
}

/** The merged work of others is what it did not fit to. */
export function needsTip(failure: AttemptFailure | null): boolean {
  return failure?.reason === "conflict" || (failure?.reason === "gate" && failure.on === "merge");
}

type Given = {
  readonly attempt: AttemptId;
  readonly base: Revision;
  readonly before: PastAttempt | undefined;
  readonly why: string;
};

function withOpen(state: RunState, i: number, { attempt, base, before, why }: Given): RunState {
  const after = before === undefined ? null : { attempt: before.id, because: before.failure };
  const open: OpenTask = { attempt, after, base, worktree: null, conflicts: [] };
  const held: Partial<TaskState> = { phase: { kind: "held", why, proven: null }, volley: 0, fix: null };
  // What was skipped for its sake waits again: for the person.
  return unskipDependents(changeTask(state, i, { ...held, open }), i);
}
