// One pull request a task: tasks that do not need each other are put on the target apart, so that each can be reviewed and merged
// without the others.

import type { TaskId } from "../../../core/ids.ts";
import type { Plan } from "../../../core/plan.ts";
import { groupByNeeds, type StackStep } from "../../../core/proposal.ts";
import { type BuildInput, buildLanding, type Shadow } from "../../../git/index.ts";

/**
 * The line of all tasks as independent stacks; null where it has to stay one line: because all tasks are connected, or because the
 * change of one does not apply without that of another.
 */
export async function buildStacks(
  shadow: Shadow,
  input: BuildInput,
  { line, plan }: { readonly line: readonly StackStep[]; readonly plan: Plan },
): Promise<StackStep[] | null> {
  const groupOf = groupByNeeds(plan);
  const groups = new Map<TaskId, Set<TaskId>>();
  for (const { task } of line) {
    const group = groupOf(task);
    groups.set(group, (groups.get(group) ?? new Set()).add(task));
  }
  if (groups.size < 2) return null;
  const stacks: StackStep[] = [];
  for (const only of groups.values()) {
    const built = await buildLanding(shadow, { ...input, only });
    if (built.kind !== "built" || built.steps?.length !== only.size) return null;
    stacks.push(...built.steps);
  }
  return stacks;
}
