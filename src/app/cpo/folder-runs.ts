// The runs of one cpo folder: which there are, and what of it has landed already.

import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { TaskId } from "../../core/ids.ts";
import type { PlanSource } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import { entries } from "../../core/sorted-map.ts";
import { countCommits, isGitFailure, type Repository } from "../../git/index.ts";
import type { Host, OrRefusal } from "../host.ts";
import { type KnownRun, latestRuns, repositoryOfRuns } from "../runs.ts";

export type FolderRuns = {
  readonly repository: Repository;
  /** The latest first. */
  readonly runs: readonly KnownRun[];
};

/** A repository may have hundreds of runs, and to read all of their journals takes seconds. */
const MOST_READ = 100;

/** `folder` is absolute. */
export async function runsOfFolder(host: Host, folder: string): Promise<OrRefusal<FolderRuns>> {
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const { runs } = await latestRuns(repository, MOST_READ);
  const real = await realpath(folder).catch(() => folder); // gone: then its runs are known by what it was called
  return { ok: true, repository, runs: runs.filter(({ state }) => isOf(real, state.index.plan.source)) };
}

/** By where it lies; the manifest may have been named itself. */
export function isOf(folder: string, { format, absolute = "" }: PlanSource): boolean {
  return format === "cpo" && absolute.replace(/\/manifest\.json$/, "") === folder;
}

/** Tasks of the folder whose work is on the commit that is checked out, by a run that landed. */
export async function landedTasks({ repository, runs }: FolderRuns): Promise<ReadonlySet<TaskId>> {
  const head = repository.head.at.commit;
  const done = new Set<TaskId>();
  for (const { state } of runs) {
    if (state.landing.kind !== "landed") continue;
    const missing = await countCommits(repository, { from: head, to: state.landing.to.commit }).catch(
      (error: unknown) => {
        if (isGitFailure(error, "not-found", "corrupt")) return 1; // it is not even there any more
        throw error;
      },
    );
    if (missing > 0) continue;
    for (const [i, { phase }] of entries(state.tasks)) {
      if (phase.kind === "merged" || phase.kind === "passed") done.add(taskAt(state.index, i).id);
    }
  }
  return done;
}

/** As one types it here, also where one stands in the folder itself or below it. */
export function namedFrom(cwd: string, folder: string): string {
  const way = relative(cwd, folder);
  const name = folder.slice(folder.lastIndexOf(sep) + 1);
  return way === "" || /(?:^|\/)\.\.$/.test(way) ? `${way === "" ? ".." : `${way}/..`}/${name}` : way;
}
