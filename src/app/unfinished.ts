// A plan that is run again although a run of it is not done: perhaps somebody wanted to go on with that one.

import type { Plan } from "../core/plan.ts";
import { progress } from "../core/select/progress.ts";
import type { Repository } from "../git/index.ts";
import { type KnownRun, latestRuns } from "./runs.ts";

/** A repository may have hundreds of runs, and to read all of their journals takes seconds. */
const MOST_READ = 20;

/** One sentence about the latest such run; none where there is none. */
export async function unfinishedWarning(repository: Repository, { source }: Plan): Promise<string[]> {
  const { runs } = await latestRuns(repository, MOST_READ);
  const known = runs.find(({ state }) => {
    const { path, hash } = state.index.plan.source;
    return path === source.path || hash === source.hash;
  });
  return known === undefined || !isUnfinished(known) ? [] : [sentence(known)];
}

/** Something was begun, and neither landed nor was given up. */
function isUnfinished({ state }: KnownRun): boolean {
  if (!state.begun || state.landing.kind === "landed" || state.landing.kind === "undone") return false;
  return state.ended?.outcome !== "complete";
}

function sentence({ run, state, driver }: KnownRun): string {
  const { done, total } = progress(state);
  const how = driver === null ? `is unfinished (${done} of ${total} done)` : "is still under way";
  const next = driver === null ? `to go on with it: plait resume ${run}` : `to see it: plait watch ${run}`;
  return `This is a new run of a plan whose last run, ${run}, ${how}; ${next}`;
}
