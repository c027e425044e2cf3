import type { LandRequest } from "../land-request.ts";
import { lastLanding, staysOnIntegration } from "../landing.ts";
import type { Landed } from "../landing-types.ts";
import { isProposed, type Publish } from "../plan.ts";
import type { PullRequest } from "../proposal.ts";
import type { RunState } from "../run-state.ts";
import { count, shortRef } from "../text/figures.ts";
import { progress } from "./progress.ts";

export { hasUnlanded, isResultLanded } from "../landing.ts";

/** What a driver does that was asked to land: `Landing 2 merged tasks of shop-k7f2 on main. The run then ends with 1 task left.` */
export function describeLanding(
  state: RunState,
  { target = state.target ?? undefined }: LandRequest,
): string {
  const { done, total } = progress(state);
  const where = target === undefined ? "" : ` on ${shortRef(target)}`;
  const left = total - done;
  const then = left === 0 ? "" : ` The run then ends with ${count(left, "task")} left.`;
  return `Landing ${count(state.indices.phases.merged, "merged task")} of ${state.run}${where}.${then}`;
}

/** `1 merged task has not landed`. */
export const formatNotLanded = (tasks: number): string =>
  `${count(tasks, "merged task")} ${tasks === 1 ? "has" : "have"} not landed`;

/** The branch that has the result, or will have it; null where there is none to land on. */
export function findLandingBranch(state: RunState): string | null {
  const landed = findLanded(state);
  if (landed === null && staysOnIntegration(state)) return `plait/${state.run}/integration`;
  const target = landed?.target ?? state.target;
  return target === null ? null : shortRef(target);
}

/** The last landing that is on the branch: of a run that landed twice the first, where the second was undone. */
export const findLanded = (state: RunState): Landed | null => lastLanding(state)?.landing ?? null;

/** A request to land as flags of `plait land`. */
export function formatLandFlags(request: LandRequest): string[] {
  const { as, target, publish, sign, signoff, draft, reviewers = [], labels = [] } = request;
  return [
    ...(as === undefined ? [] : ["--as", as]),
    ...(target === undefined ? [] : ["--onto", shortRef(target)]),
    ...(publish === undefined ? [] : [PUBLISH_FLAGS[publish]]),
    ...(sign ? ["--sign"] : []),
    ...(signoff ? ["--signoff"] : []),
    ...(draft ? ["--draft"] : []),
    ...reviewers.flatMap((name) => ["--reviewer", name]),
    ...labels.flatMap((name) => ["--label", name]),
  ];
}

const PUBLISH_FLAGS: { readonly [P in Publish]: string } = {
  no: "--no-push",
  push: "--push",
  "pull-request": "--pr",
  "pull-request-per-task": "--pr-per-task",
};

type ProposalOptions = Pick<LandRequest, "draft" | "reviewers" | "labels">;

/** The first option that would have no effect because no pull request is opened. */
export function findUnusedLandOption(
  { draft, reviewers = [], labels = [] }: ProposalOptions,
  publish: Publish,
): string | null {
  if (isProposed(publish)) return null;
  if (draft) return "--draft";
  return reviewers.length > 0 ? "--reviewer" : labels.length > 0 ? "--label" : null;
}

/** The pull requests that a run opened, in the order in which they are to be merged. */
export function listPullRequests({ published }: RunState): readonly PullRequest[] {
  return published.kind === "published" ? published.pullRequests : [];
}

/** `https://…/pull/7 into main`; of a stack with the task in front. */
export function formatPullRequest({ task, url, base }: PullRequest): string {
  return `${task === null ? "" : `${task}: `}${url} into ${base}`;
}
