// A plan without some of its tasks: what is left out is taken for done, so nobody waits for it.

import type { TaskId } from "../../core/ids.ts";
import type { Plan, Task } from "../../core/plan.ts";

/** The same plan with the tasks that are wanted. Null where none is left. */
export function partOfPlan(plan: Plan, isWanted: (task: Task) => boolean): Plan | null {
  const kept = new Set(plan.tasks.filter(isWanted).map(({ id }) => id));
  if (kept.size === 0) return null;
  const tasks = plan.tasks.filter(({ id }) => kept.has(id)).map((task) => without(task, kept));
  return { ...plan, tasks };
}

function without(task: Task, kept: ReadonlySet<TaskId>): Task {
  const { hears } = task;
  return {
    ...task,
    needs: task.needs.filter((id) => kept.has(id)),
    hears: hears === null ? null : { ...hears, from: hears.from.filter(({ task: from }) => kept.has(from)) },
  };
}
