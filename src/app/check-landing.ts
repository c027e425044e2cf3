// A request to land, from a terminal, a page or a tool: checked before a process starts for it.

import type { LandRequest } from "../core/land-request.ts";
import { findUnusedLandOption } from "../core/select/landing-words.ts";
import { checkGh } from "./check-gh.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import type { FoundRun } from "./runs.ts";
import { describeCarriedCommits, findTargetBranch } from "./target-branch.ts";

/** A request to land whose branch is as a person names it. */
export type LandAction = { readonly kind: "land" } & Omit<LandRequest, "target"> & {
    readonly target?: string;
  };

export type CheckedLanding = {
  readonly request: { readonly kind: "land" } & LandRequest;
  readonly warnings: readonly string[];
};

export async function checkLanding(
  host: Pick<Host, "env">,
  { repository, known }: FoundRun,
  { target: given, ...request }: LandAction,
): Promise<OrRefusal<CheckedLanding>> {
  const { state } = known;
  const publish = request.publish ?? state.policy.publish;
  const unused = findUnusedLandOption(request, publish);
  if (unused !== null) return refuse("request", `${unused} needs a pull request`, "add: --pr");
  const named = given === undefined ? null : await findTargetBranch(repository, given);
  if (named?.ok === false) return named;
  const noGh = await checkGh(host, repository, { publish, land: "end" });
  if (noGh !== null) return { ok: false, refusal: noGh };
  const { head } = repository;
  // A run from a detached HEAD has no branch of its own: it lands on the one that is checked out now.
  const checkedOut = state.target === null && head.kind === "branch" ? head.ref : null;
  const target = named?.target ?? checkedOut;
  const lands = target ?? state.target;
  const { as = state.policy.landStyle.as } = request;
  const carried =
    lands === null
      ? null
      : await describeCarriedCommits(repository, { base: state.base.commit, target: lands, as });
  return {
    ok: true,
    request: target === null ? request : { ...request, target },
    warnings: carried === null ? [] : [carried],
  };
}
