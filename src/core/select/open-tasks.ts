import { findConflict, labelSides } from "../conflict-labels.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { OpenTask, PastAttempt, RunState, TaskState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
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
  return [...entries(state.tasks)].flatMap(([i, of]): TheirTask[] => {
    if (of.open === null) return [];
    const { id: task, limits } = taskAt(state.index, i);
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
