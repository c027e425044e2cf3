import type { MergedAttempt } from "./facts.ts";
import type { AttemptId, Oid, TaskId } from "./ids.ts";
import type { Published } from "./landing-state.ts";
import type { PullRequest, PushedBranch } from "./proposal.ts";
import type { RunState } from "./run-state.ts";
import { taskState } from "./run-tasks.ts";

/** The commit of each task on the branches that others see once this landing is published; those of the integration branch are left out. */
export function listPublishedCommits(state: RunState): readonly MergedAttempt[] {
  const { landing } = state;
  if (landing.kind === "landed") return landing.commits ?? [];
  if (landing.kind !== "built") return [];
  if (landing.stack === undefined) return landing.commits ?? [];
  return landing.stack.flatMap(({ task, result: { commit } }): MergedAttempt[] => {
    const attempt = findMergedAttempt(state, task);
    return attempt === null ? [] : [{ task, attempt, commit }];
  });
}

function findMergedAttempt(state: RunState, task: TaskId): AttemptId | null {
  const i = state.index.indexOf.get(task);
  const phase = i === undefined ? null : taskState(state, i).phase;
  return phase?.kind === "merged" ? phase.attempt : null;
}

/** The run as its pull requests show it, just before they are opened. */
export function assumePublished(state: RunState): RunState {
  const published: Published = {
    ...{ kind: "published", commit: state.tip.commit, remote: "", branch: "", url: null },
    ...{ pullRequests: [], commits: listPublishedCommits(state) },
  };
  return { ...state, published };
}

/** The branches of these pull requests, each with its commit. */
export function listPushed(
  { landing }: RunState,
  { commit, pullRequests }: { readonly commit: Oid; readonly pullRequests: readonly PullRequest[] },
): PushedBranch[] {
  const steps = landing.kind === "built" ? (landing.stack ?? []) : [];
  return pullRequests.flatMap(({ task, branch }): PushedBranch[] => {
    const one = task === null ? commit : steps.find((step) => step.task === task)?.result.commit;
    return one === undefined ? [] : [{ branch, commit: one }];
  });
}
