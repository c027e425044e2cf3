import type { LandRequest } from "../land-request.ts";
import { isProposed, type Publish } from "../plan.ts";
import { shortRef } from "../text/figures.ts";

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
