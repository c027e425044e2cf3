import type { Plan } from "../plan.ts";
import { isStep } from "../plan-steps.ts";

/** How many tasks the plan lists, without the steps of an artifact folder. */
export function countListed(plan: Plan): number {
  return plan.tasks.filter((task) => !isStep(plan, task)).length;
}
