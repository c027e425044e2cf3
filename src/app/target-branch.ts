// The branch that a run lands on where the user names one.

import { type Oid, type RefName, refName } from "../core/ids.ts";
import type { LandStyle } from "../core/plan.ts";
import { nearest } from "../core/suggest.ts";
import { otherCommand } from "../core/text/command.ts";
import { count } from "../core/text/figures.ts";
import { fix, sentence } from "../core/text/sentence.ts";
import { countCommits, listCommits, type Repository, readRef, readRefs, shortName } from "../git/index.ts";
import { type OrRefusal, refuse } from "./host.ts";

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
  const create = fix("create it", otherCommand("git", "branch", name));
  const hint = meant === null ? create : sentence`did you mean ${meant}? Or ${create}`;
  return refuse("request", `unknown branch ${JSON.stringify(name)}`, hint);
}
