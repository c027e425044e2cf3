import type { PullRequest } from "../proposal.ts";
import type { RunState } from "../run-state.ts";

export { isProposed } from "../plan.ts";

/** The pull requests that a run opened, in the order in which they are to be merged. */
export function listPullRequests({ published }: RunState): readonly PullRequest[] {
  return published.kind === "published" ? published.pullRequests : [];
}

/** `https://…/pull/7 into main`; of a stack with the task in front. */
export function formatPullRequest({ task, url, base }: PullRequest): string {
  return `${task === null ? "" : `${task}: `}${url} into ${base}`;
}
