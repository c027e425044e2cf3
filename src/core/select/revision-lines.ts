import { isChanged } from "../evolve/revise.ts";
import type { TaskId } from "../ids.ts";
import type { Plan } from "../plan.ts";
import type { RunState } from "../run-state.ts";
import { isSatisfied, taskState } from "../run-tasks.ts";
import { listed } from "../text/figures.ts";

const MOST_NAMES = 8;

/** What an edited plan means for a run, one line each: `added: docs`, `redone: api`. Empty where it means nothing. */
export function listRevision(state: RunState, plan: Plan, redo: readonly TaskId[]): string[] {
  const ids = new Set<TaskId>(plan.tasks.map(({ id }) => id));
  const before = state.index.plan.tasks.map(({ id }) => id).filter((id) => !state.gone.has(id));
  const known = new Set<TaskId>(before);
  const isDone = (id: TaskId) => isSatisfied(taskState(state, state.index.indexOf.get(id) ?? 0).phase);
  const redone = redo.filter((id) => known.has(id) && isDone(id));
  const changed = plan.tasks
    .filter((task) => known.has(task.id) && !redone.includes(task.id) && isChanged(state, task))
    .map(({ id }) => id);
  const left = before.filter((id) => !ids.has(id));
  const isMerged = (id: TaskId) => taskState(state, state.index.indexOf.get(id) ?? 0).phase.kind === "merged";
  const lines = [
    ["added", [...ids].filter((id) => !known.has(id))],
    ["dropped", left.filter((id) => !isMerged(id))],
    ["not in the plan, merged work stays", left.filter(isMerged)],
    ["changed", changed],
    ["redone", redone],
  ] as const;
  return lines.flatMap(([word, tasks]) => (tasks.length === 0 ? [] : [`${word}: ${formatNames(tasks)}`]));
}

function formatNames(tasks: readonly TaskId[]): string {
  const more = tasks.length - MOST_NAMES;
  return more > 0 ? `${tasks.slice(0, MOST_NAMES).join(", ")} and ${more} more` : listed([...tasks]);
}
