import type { Lost, PlanDraft } from "../draft.ts";

/** Whether a name may be that of something the draft does not have because it was wrong in itself. */
export function mayBeLost(name: string, lost: Lost["tasks"]): boolean {
  return lost === "any" || lost.includes(name);
}

export function hasLostTasks({ lost }: PlanDraft): boolean {
  return lost !== undefined && lost.tasks.length > 0;
}
