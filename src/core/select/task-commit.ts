import type { MergedAttempt } from "../facts.ts";
import type { Oid, TaskId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";

/**
 * The commit of a merged task that a person can find: on the branch that it landed on, else on that of a pull request, else on the
 * integration branch.
 */
export function findTaskCommit(state: RunState, task: TaskId): Oid | null {
  const i = state.index.indexOf.get(task);
  const phase = i === undefined ? null : taskState(state, i).phase;
  if (phase?.kind !== "merged") return null;
  const found = listVisible(state).find((one) => one.attempt === phase.attempt);
  return found?.commit ?? phase.commit;
}

/** Commits that stand for those of the integration branch, the last first. */
function listVisible({ landing, landings, published }: RunState): MergedAttempt[] {
  const earlier = landings.toReversed().flatMap((one) => one.landing.commits ?? []);
  if (landing.kind === "landed") return [...(landing.commits ?? []), ...earlier];
  return [...earlier, ...(published.kind === "published" ? published.commits : [])];
}
