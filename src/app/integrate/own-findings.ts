// Findings with the task to fix each, and the last commit of the task that changed the place.

import type { LoggedCommit, Objects } from "../../git/index.ts";
import type { FoundFinding, OwnedFinding } from "../../spec/integrate/finding.ts";
import type { TaskWork } from "./own-work.ts";
import { findOwners, type OwnerQuestion } from "./owners.ts";

export type OwnQuestion = OwnerQuestion & { readonly objects: Objects; readonly works: readonly TaskWork[] };

export type OwnFinding = (found: FoundFinding) => Promise<OwnedFinding>;

export function ownFindings(question: OwnQuestion): OwnFinding {
  const ownerOf = findOwners(question);
  const commitOf = touchingCommits(question);
  return async (found) => {
    const { task: _, ...rest } = found;
    const task = await ownerOf(found);
    const file = found.home ?? found.at?.file ?? null;
    const commit = task === null || file === null ? null : await commitOf(task, file);
    return { ...rest, task, commit };
  };
}

/** Null if the task did not change the file. Commits are only read if a task has several. */
function touchingCommits({ objects, works, files }: OwnQuestion) {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const filesOf = (commit: LoggedCommit): Promise<ReadonlySet<string>> => {
    const found = known.get(commit.commit) ?? filesIn(objects, commit);
    known.set(commit.commit, found);
    return found;
  };
  const byTask = new Map<string, TaskWork>(works.map((work) => [work.task.id, work]));
  return async (task: string, file: string): Promise<string | null> => {
    if (files.get(task)?.has(file) !== true) return null;
    const commits = byTask.get(task)?.commits ?? [];
    const own = commits.filter(({ parents }) => parents.length < 2).toReversed();
    if (own.length > 1) for (const one of own) if ((await filesOf(one)).has(file)) return one.commit;
    return (own[0] ?? commits.at(-1))?.commit ?? null;
  };
}

async function filesIn(objects: Objects, { commit, parents }: LoggedCommit): Promise<ReadonlySet<string>> {
  const [before] = parents;
  const changes = before === undefined ? null : await objects.changes(before, commit);
  return new Set((changes ?? []).map(({ path }) => path));
}
