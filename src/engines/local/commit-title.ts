import type { Task } from "../../core/plan.ts";

/** The first line of a commit about a task: as the plan words it, else the title. */
export function formatCommitTitle(template: string | null | undefined, { id, title }: Task): string {
  const filled = template?.replace(/\{(task|title)\}/g, (_, key) => (key === "task" ? id : title));
  return filled ?? title;
}
