import type { TaskId } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { StackStep } from "./proposal.ts";

/**
 * Tasks that are connected by `needs`, over any number of tasks, become one stack; the others can be reviewed and merged apart. A pull
 * request has one base, so each stack is a line in the order of merging.
 */
export function groupByNeeds({ tasks }: Pick<Plan, "tasks">): (task: TaskId) => TaskId {
  const parent = new Map<TaskId, TaskId>();
  const find = (task: TaskId): TaskId => {
    let root = task;
    for (let up = parent.get(root); up !== undefined; up = parent.get(root)) root = up;
    return root;
  };
  for (const { id, needs } of tasks) {
    for (const need of needs) {
      const [a, b] = [find(id), find(need)];
      if (a !== b) parent.set(a, b);
    }
  }
  return find;
}

/** The steps that nothing is stacked on: each has all of its stack. */
export function findStackTops(stack: readonly StackStep[]): StackStep[] {
  const below = new Set(stack.flatMap(({ on }) => on ?? []));
  return stack.filter(({ task }) => !below.has(task));
}

/** The stack that a step is part of, the lowest first. */
export function findStackOf(stack: readonly StackStep[], step: StackStep): StackStep[] {
  const byTask = new Map(stack.map((one) => [one.task, one]));
  const root = ({ task, on }: StackStep): TaskId => {
    const below = on === null ? undefined : byTask.get(on);
    return below === undefined ? task : root(below);
  };
  return stack.filter((one) => root(one) === root(step));
}
