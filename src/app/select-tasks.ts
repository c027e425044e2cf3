import type { EachNote } from "../core/each/expand.ts";
import { graphOf } from "../core/graph.ts";
import type { TaskId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import type { OrRefusal } from "./host.ts";
import { matchTasks, planTaskNames } from "./match-tasks.ts";

export type TaskChoice = {
  /** Only these tasks, and what they need; null is all. */
  readonly only: readonly string[] | null;
  /** Tasks of the file that stand for many, which `only` may name. */
  readonly each?: readonly EachNote[];
};

export type SelectedTasks = {
  /** Null: all. */
  readonly selected: readonly TaskId[] | null;
  /** The plan with only these. */
  readonly plan: Plan;
};

/** What a task needs is part of what is asked for: without it the task could not start. */
export function selectTasks(plan: Plan, { only, each = [] }: TaskChoice): OrRefusal<SelectedTasks> {
  if (only === null) return { ok: true, selected: null, plan };
  const ids = plan.tasks.map(({ id }) => id);
  const matched = matchTasks(only, planTaskNames(ids, each));
  if (!matched.ok) return matched;
  const { needs } = graphOf(plan.tasks);
  const wanted = new Set<number>();
  const visit = (i: number): void => {
    if (wanted.has(i)) return;
    wanted.add(i);
    for (const need of needs[i] ?? []) visit(need);
  };
  for (const task of matched.tasks) visit(ids.indexOf(task));
  const selected = ids.filter((_, i) => wanted.has(i));
  return { ok: true, selected, plan: { ...plan, tasks: plan.tasks.filter((_, i) => wanted.has(i)) } };
}
