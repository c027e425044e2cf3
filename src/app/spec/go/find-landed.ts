// Whether a plan is built, where no journal tells: in a clone, and after `plait clean`.

import { join, relative } from "node:path";
import type { Plan } from "../../../core/plan.ts";
import { type Repository, withObjects } from "../../../git/index.ts";
import { runsOfPlan } from "../../integrate/plan-runs.ts";

/**
 * Whether commits of the branch that is checked out name each task that changes something. Commits from before the task files were last
 * changed are of another plan; the commit with that change may be a squash of plan and work.
 */
export async function isLandedByCommits(
  repository: Repository,
  { plan, folder }: { readonly plan: Plan; readonly folder: string },
): Promise<boolean> {
  const { workTree, head } = repository;
  const writing = plan.tasks.filter(({ work, access }) => work.kind === "agent" && access !== "read-only");
  if (workTree === null || writing.length === 0) return false;
  const { hasTask } = await runsOfPlan(repository, plan);
  const to = head.at.commit;
  const path = join(relative(workTree, folder), "tasks");
  return withObjects(repository, async (objects) => {
    const [changed] = (await objects.log({ to, not: [] }, { path })) ?? [];
    if (changed === undefined) return false;
    const since = (await objects.log({ to, not: changed.parents }, { naming: true })) ?? [];
    const named = since
      .flatMap((one) => one.named)
      .filter(({ task, run }) => run === null || hasTask(run, task));
    return writing.every(({ id }) => named.some(({ task }) => task === id));
  });
}
