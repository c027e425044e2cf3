import { findConflict, labelSides } from "../conflict-labels.ts";
import type { EpochMs } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import type { TimeLimits } from "../plan.ts";
import type { OpenTask, PastAttempt, RunState, TaskState } from "../run-state.ts";
import { isSatisfied, listTasks } from "../run-tasks.ts";
import { entries, get } from "../sorted-map.ts";
import { plainText } from "../text/sentence.ts";
import { formatFailure } from "./failure-text.ts";

/** A task that a person has. */
export type TheirTask = {
  readonly task: TaskId;
  /** The one that their work will be. */
  readonly attempt: AttemptId;
  /** Null while it is being made ready. */
  readonly worktree: string | null;
  /** The attempt that they go on with, and what was wrong with it. */
  readonly after: { readonly attempt: AttemptId; readonly why: string | null } | null;
  readonly conflicts: readonly string[];
  /** Whose lines stand at which marker of a conflict; null where there is none. */
  readonly sides: Sides | null;
};

/** `label` stands behind the markers. */
export type Sides = {
  readonly merged: { readonly label: string; readonly commit: Oid; readonly tasks: readonly TaskId[] };
  readonly own: { readonly label: string; readonly commit: Oid; readonly attempt: AttemptId };
};

/** In the order of the plan. */
export function openTasks(state: RunState): TheirTask[] {
  return listTasks(state).flatMap(({ task: { id: task, limits }, of }): TheirTask[] => {
    if (of.open === null) return [];
    const { attempt, worktree, after, conflicts } = of.open;
    const because = after?.because ?? null;
    const why = because === null ? null : plainText(formatFailure(because, limits));
    const told = after === null ? null : { attempt: after.attempt, why };
    const sides = findSides(state, { task, of, open: of.open });
    return [{ task, attempt, worktree, after: told, conflicts, sides }];
  });
}

type Opened = { readonly task: TaskId; readonly of: TaskState; readonly open: OpenTask };

function findSides({ index }: RunState, { task, of, open }: Opened): Sides | null {
  const { base, after, conflicts } = open;
  const before = of.past.find(({ id }) => id === after?.attempt);
  if (conflicts.length === 0 || before === undefined) return null;
  const others = findConflict(of.past, before.id)?.with ?? [];
  const labels = labelSides(index.plan, { task, others });
  return {
    merged: { label: labels.merged, commit: base.commit, tasks: others },
    own: { label: labels.own, commit: before.saved.result.commit, attempt: before.id },
  };
}

/** The conversation that led to what a person finds: that of the attempt they go on with, or of one which that went on with. */
export function lastConversation({ past }: TaskState, attempt: AttemptId | null): string | null {
  let at: PastAttempt | undefined = past.find(({ id }) => id === attempt);
  while (at !== undefined && at.ended.conversation === null) {
    const { continues } = at;
    at = past.find(({ id }) => id === continues);
  }
  return at?.ended.conversation ?? null;
}

/** A task that failed for good, or did not pass when a person handed it in, with what is needed to say why. */
export type FailedTask = {
  readonly task: TaskId;
  readonly failure: AttemptFailure;
  readonly limits: TimeLimits;
  readonly of: TaskState;
};

/** In the order of the plan. */
export function failedTasks(state: RunState): FailedTask[] {
  const { failed, held } = state.indices.phases;
  if (failed + held === 0) return [];
  return listTasks(state).flatMap(({ task: { id, limits }, of }): FailedTask[] => {
    const failure = of.phase.kind === "failed" ? of.phase.failure : notPassed(of);
    return failure === null ? [] : [{ task: id, failure, limits, of }];
  });
}

/** What an agent failed with was told before the person took it over. */
function notPassed({ open, past }: TaskState): AttemptFailure | null {
  return past.at(-1)?.author === "person" ? (open?.after?.because ?? null) : null;
}

/** An attempt whose process has ended and whose work is saved, judged or not. */
export type EndedAttempt = {
  readonly task: TaskId;
  readonly attempt: Pick<PastAttempt, "id" | "ended">;
};

/** All of them, in the order of the plan and of their numbers. */
export function pastAttempts(state: RunState): EndedAttempt[] {
  return listTasks(state).flatMap(({ task, of: { past, live } }) => {
    const saved = live.flatMap(({ id, stage }) =>
      stage.kind === "gate" ? [{ id, ended: stage.ended }] : [],
    );
    return [...past, ...saved].map((attempt) => ({ task: task.id, attempt }));
  });
}

/** Tasks that are merged or passed. */
export function doneTasks(state: RunState): TaskId[] {
  return listTasks(state).flatMap(({ task, of }) => (isSatisfied(of.phase) ? [task.id] : []));
}

/** `at` is when its work was saved last. */
export type StayingTree = { readonly task: TaskId; readonly path: string; readonly at: EpochMs };

/** Worktrees that the user wanted to stay, each once: fix rounds share one. */
export function stayingTrees(state: RunState): StayingTree[] {
  const found = new Map<string, StayingTree>();
  for (const { task, of } of listTasks(state)) {
    for (const { saved } of of.past)
      if (saved.stays !== null) found.set(saved.stays, { task: task.id, path: saved.stays, at: saved.at });
  }
  return [...found.values()];
}

/**
 * Indices of the tasks that differ between two states, of which the second was made from the first. Evolve shares what it
 * does not touch: only the ways down to the changed tasks differ, so this costs what changed.
 */
export function changedTasks({ tasks: before }: RunState, { tasks: after }: RunState): number[] {
  const found: number[] = [];
  const walk = (left: RunState["tasks"], right: RunState["tasks"]): boolean => {
    if (left === right) return true;
    if (left === null || right === null || left.key !== right.key) return false;
    if (left.value !== right.value) found.push(right.key);
    return walk(left.left, right.left) && walk(left.right, right.right);
  };
  return walk(before, after) ? found : allChanged(before, after);
}

/** A revised plan has another shape. */
function allChanged(before: RunState["tasks"], after: RunState["tasks"]): number[] {
  return [...entries(after)].filter(([i, task]) => get(before, i) !== task).map(([i]) => i);
}
