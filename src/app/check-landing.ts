// A request to land, from a terminal, a page or a tool: checked before a process starts for it.

import { type Oid, type RefName, refName } from "../core/ids.ts";
import type { LandRequest } from "../core/land-request.ts";
import type { LandStyle } from "../core/plan.ts";
import { findUnusedLandOption } from "../core/select/landing-text.ts";
import { nearest } from "../core/suggest.ts";
import { otherCommand } from "../core/text/command.ts";
import { count } from "../core/text/figures.ts";
import { fix, sentence } from "../core/text/sentence.ts";
import {
  countCommits,
  isBranchName,
  listCommits,
  pushProblem,
  type Repository,
  readRef,
  readRefs,
  shortName,
} from "../git/index.ts";
import { checkGh } from "./check-machine.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import type { FoundRun } from "./runs.ts";

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
  const problem = publish === "push" && lands !== null ? pushProblem(repository, lands) : null;
  if (problem !== null) return refuse("environment", "cannot push the result", problem);
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

/**
 * Commits below a run that its branch does not have: a merge brings them along. One sentence; null where there are none, or where
 * only the tasks' own changes land.
 */
export async function describeCarriedCommits(
  repository: Repository,
  { base, target, as }: { readonly base: Oid; readonly target: RefName; readonly as: LandStyle["as"] },
): Promise<string | null> {
  if (as !== "merge") return null;
  const from = await readRef(repository, target);
  const carried = from === null ? 0 : await countCommits(repository, { from, to: base });
  if (from === null || carried === 0) return null;
  const named = await listCommits(repository, { from, to: base }, MOST_NAMED);
  const rest = carried > named.length ? `, and ${carried - named.length} more` : "";
  return `A merge also lands ${count(carried, "commit")} that ${shortName(target)} does not have: ${named.join(", ")}${rest}. To leave them out: --as rebase or --as squash`;
}

const MOST_NAMED = 5;

/** A branch that is there: a mistyped name must not become a new one. */
export async function findTargetBranch(
  repository: Repository,
  given: string,
): Promise<OrRefusal<{ target: RefName }>> {
  const name = shortName(given);
  if (repository.workTree === null)
    return refuse("environment", "this repository is bare, so nothing lands", "leave out --onto");
  const refs = await readRefs(repository, "refs/heads/");
  const names = [...refs.keys()].map(shortName).filter((branch) => !branch.startsWith("plait/"));
  if (names.includes(name)) return { ok: true, target: refName(`refs/heads/${name}`) };
  const meant = nearest(name, names);
  if (!(await isBranchName(repository, name)))
    return refuse(
      "request",
      `${JSON.stringify(name)} is not a valid branch name`,
      meant === null
        ? fix("list the branches", otherCommand("git", "branch"))
        : sentence`did you mean ${meant}?`,
    );
  const create = fix("create it", otherCommand("git", "branch", name));
  const hint = meant === null ? create : sentence`did you mean ${meant}? Or ${create}`;
  return refuse("request", `unknown branch ${JSON.stringify(name)}`, hint);
}
