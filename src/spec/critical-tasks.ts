import { criticalPath, graphOf } from "../core/graph.ts";
import type { SpecTask } from "./spec-task.ts";

/** What a task counts for that does not say how long it takes. */
export const USUAL_HOURS = 2;

export const hoursOf = ({ hours }: Pick<SpecTask, "hours">): number => hours ?? USUAL_HOURS;

/** The ids on one longest way through the tasks; each wave waits for the one before. */
export function criticalTasks<T extends Pick<SpecTask, "id" | "deps" | "wave" | "hours">>(
  tasks: readonly T[],
): string[] {
  const graph = graphOf(tasks.map(({ id, deps, wave }) => ({ id, needs: deps, wave })));
  return criticalPath(graph, tasks.map(hoursOf)).map((i) => (tasks[i] as T).id);
}
