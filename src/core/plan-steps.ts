import type { Plan, Task } from "./plan.ts";

/**
 * Whether a task is a step that the format adds between the tasks of an artifact folder: installing packages, validating a wave.
 * The manifest does not list steps as tasks, so counts of tasks leave them out.
 */
export function isStep({ source }: Pick<Plan, "source">, { work }: Pick<Task, "work">): boolean {
  return source.format === "cpo" && work.kind === "command";
}
