// A plan that is run again although a run of it is not done: perhaps somebody wanted to go on with that one.

import type { Plan } from "../core/plan.ts";
import { progress } from "../core/select/progress.ts";
import { hasSucceeded } from "../core/select/run-status.ts";
import { forRun, plait } from "../core/text/command.ts";
import { fix, plainText, sentence } from "../core/text/sentence.ts";
import type { Repository } from "../git/index.ts";
import type { Host } from "./host.ts";
import { type FoundRun, type KnownRun, latestRuns, repositoryOfRuns } from "./runs.ts";

const MOST_READ = 20;

/** One sentence about the latest such run; none where there is none. */
export async function unfinishedWarning(repository: Repository, { source }: Plan): Promise<string[]> {
  const { runs } = await latestRuns(repository, MOST_READ);
  const known = runs.find(({ state }) => {
    const { path, hash } = state.index.plan.source;
    // Prompts have no file: only the same prompts are the same plan.
    return hash === source.hash || (source.format !== "prompts" && path === source.path);
  });
  return known === undefined || !isUnfinished(known) ? [] : [describeUnfinished(known)];
}

export type EarlierRun =
  | { readonly kind: "same"; readonly found: FoundRun }
  /** Its plan has changed since. */
  | { readonly kind: "changed"; readonly run: KnownRun["run"] }
  /** All of it is done, and where it was to go. */
  | { readonly kind: "complete"; readonly known: KnownRun }
  | { readonly kind: "none" };

/** The latest run of a manifest that lands what is merged. One that is not done is not, also when what was merged has landed. */
export async function earlierRun(host: Host, { source }: Plan): Promise<EarlierRun> {
  const place = await repositoryOfRuns(host);
  if (!place.ok) return { kind: "none" };
  const { repository } = place;
  const { runs } = await latestRuns(repository, MOST_READ);
  // By where it lies: another file may have the same name and even say the same. Runs that were asked for in another way are not its.
  const known = runs.find(({ state: { index, policy } }) => {
    return index.plan.source.absolute === source.absolute && policy.land === "partial";
  });
  if (known === undefined || !known.state.begun || known.state.landing.kind === "undone")
    return { kind: "none" };
  const isSame = known.state.index.plan.source.hash === source.hash;
  if (hasSucceeded(known.state)) return isSame ? { kind: "complete", known } : { kind: "none" };
  return isSame ? { kind: "same", found: { repository, known } } : { kind: "changed", run: known.run };
}

function isUnfinished({ state }: KnownRun): boolean {
  if (!state.begun || state.landing.kind === "landed" || state.landing.kind === "undone") return false;
  return !hasSucceeded(state);
}

function describeUnfinished({ run, state, driver }: KnownRun): string {
  const { done, total } = progress(state);
  const how = driver === null ? `unfinished (${done} of ${total} done)` : "still running";
  const next =
    driver === null
      ? fix("to continue it", forRun(state, plait("resume", run)))
      : fix("to watch it", plait("watch", run));
  return plainText(sentence`Starting a new run; the last run of this plan, ${run}, is ${how}; ${next}`);
}
