// What trailers of commits tell of a task's work: plait writes `Plait-Task` and `Plait-Run` into every commit that brings work in, and
// people may write the first themselves.

import type { LoggedCommit } from "../../git/index.ts";
import {
  commitsOf,
  type FoundWork,
  idsOf,
  type OwnChange,
  ownChangeOf,
  type WorkQuestion,
} from "./own-work.ts";

/** By task, the newest first. Commits of runs of other plans, whose tasks may have the same ids, are left out. */
export async function findTaskCommits({
  objects,
  plan,
  judged,
  isOfPlan,
}: WorkQuestion): Promise<ReadonlyMap<string, readonly LoggedCommit[]>> {
  const ids = idsOf(plan.tasks);
  const commits = (await objects.log({ to: judged, not: [] }, { saying: "Plait-Task: " })) ?? [];
  const found = new Map<string, LoggedCommit[]>();
  for (const commit of commits) {
    if (commit.run !== null && !isOfPlan(commit.run)) continue;
    for (const task of new Set(commit.tasks)) {
      if (ids.has(task)) found.set(task, [...(found.get(task) ?? []), commit]);
    }
  }
  return found;
}

export async function trailerWork(
  { objects, repository }: WorkQuestion,
  found: readonly LoggedCommit[],
): Promise<FoundWork> {
  if (found.length === 0) return null;
  const commits = new Map<string, LoggedCommit>();
  const changes: OwnChange[] = [];
  const joint: LoggedCommit[] = [];
  let untold: string | null = null;
  // A merge comes with the commits of the task that it brought in, which have the same trailers.
  const isMerge = ({ parents }: LoggedCommit) => parents.length > 1;
  const merges = found.filter(isMerge).toReversed();
  const others = found.filter((commit) => !isMerge(commit)).toReversed();
  for (const commit of [...merges, ...others]) {
    if (commits.has(commit.commit)) continue;
    for (const own of await commitsOf(objects, commit)) commits.set(own.commit, own);
    if (commit.tasks.length > 1) {
      joint.push(commit);
      untold = togetherWords(commit);
      continue;
    }
    const change = await ownChangeOf(objects, commit);
    if (change !== null) changes.push(change);
    else untold = repository.isShallow ? CUT_OFF : "it came with the first commit of the repository";
  }
  const all = [...commits.values()];
  return { status: "merged", from: "trailers", commits: all, changes, joint, untold, missing: null };
}

const CUT_OFF = "the history of this clone is cut off there; git fetch --unshallow brings the rest";

function togetherWords({ commit, tasks }: LoggedCommit): string {
  return `${tasks.join(", ")} landed as one commit, ${commit.slice(0, 7)}, in which they cannot be told apart`;
}
