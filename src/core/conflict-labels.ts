// The labels behind the markers of a conflict: whose lines are whose, for agents and people alike.

import type { AttemptFailure } from "./failure.ts";
import type { AttemptId, RunId, TaskId } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { PastAttempt } from "./run-state.ts";
import { cutList } from "./text/figures.ts";

export type SideLabels = {
  /** Behind `<<<<<<<`. */
  readonly merged: string;
  /** Behind `>>>>>>>`. */
  readonly own: string;
};

/** How each label begins; a line that begins with a marker and one of them is a conflict that is not resolved. */
export const MERGED_SIDE = "merged: ";
export const OWN_SIDE = "this task: ";
export const TARGET_SIDE = "branch: ";
export const RUN_SIDE = "this run: ";

type Conflict = Extract<AttemptFailure, { reason: "conflict" }>;

/**
 * The conflict behind this attempt's files: its own, or that of an attempt which it continues. One that left markers failed with a
 * conflict that names no task; the one before it does.
 */
export function findConflict(past: readonly PastAttempt[], attempt: AttemptId | null): Conflict | null {
  let found: Conflict | null = null;
  let at = past.find(({ id }) => id === attempt);
  for (let left = past.length; at !== undefined && left > 0; left -= 1) {
    if (at.failure?.reason === "conflict") found = at.failure;
    if (found !== null && found.with.length > 0) return found;
    const { continues } = at;
    at = past.find(({ id }) => id === continues);
  }
  return found;
}

/** `merged: api (Add the API)`, `this task: tax (Add tax)`. */
export function labelSides(
  { tasks }: Pick<Plan, "tasks">,
  { task, others }: { readonly task: TaskId; readonly others: readonly TaskId[] },
): SideLabels {
  const name = (id: TaskId): string => nameTask(id, tasks.find((one) => one.id === id)?.title ?? id);
  const [first] = others;
  const merged =
    first === undefined ? "other work" : others.length === 1 ? name(first) : cutList(others, MOST_TASKS);
  return { merged: `${MERGED_SIDE}${merged}`, own: `${OWN_SIDE}${name(task)}` };
}

/** Of a conflict with the branch that the run lands on: `branch: main`, `this run: shop-k7f2`. */
export function labelTargetSides(branch: string, run: RunId): SideLabels {
  return { merged: `${TARGET_SIDE}${branch}`, own: `${RUN_SIDE}${run}` };
}

const LONGEST_TITLE = 60;
const MOST_TASKS = 4;

/** On one line, whatever the title holds. */
function nameTask(id: TaskId, title: string): string {
  const line = title.replace(/[\p{C}\s]+/gu, " ").trim();
  if (line === "" || line === id) return id;
  const short = line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE).trimEnd()}...`;
  return `${id} (${short})`;
}
