// The runs of one cpo folder: which there are, and what of it has landed already.

import { relative, resolve, sep } from "node:path";
import type { TaskId } from "../../core/ids.ts";
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
  const bases = [host.cwd, ...(repository.workTree === null ? [] : [repository.workTree])];
  const { runs } = await latestRuns(repository, MOST_READ);
  const ofCpo = runs.filter(({ state }) => state.index.plan.source.format === "cpo");
  return {
    ok: true,
    repository,
    runs: ofCpo.filter(({ state }) => isOf(folder, state.index.plan.source.path, bases)),
  };
}

/**
 * A plan is known by the path that was typed, and that may have been typed elsewhere: `../parallel/x` in a folder is `parallel/x`
 * here.
 */
export function isOf(folder: string, typed: string, bases: readonly string[]): boolean {
  if (bases.some((base) => resolve(base, typed) === folder)) return true;
  const rest = typed.split(/[\\/]+/).filter((part) => part !== "" && part !== "." && part !== "..");
  return rest.length > 0 && !typed.startsWith(sep) && `${folder}/`.endsWith(`/${rest.join("/")}/`);
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
