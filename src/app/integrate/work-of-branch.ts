// Branches as cpo and what came before it made them: `feature/<task>`, one for each task, merged by hand or not at all.

import type { Oid, TaskId } from "../../core/ids.ts";
import { type LoggedCommit, type Objects, type Repository, readRefs, shortName } from "../../git/index.ts";
import {
  commitsOf,
  type FoundWork,
  NO_WORK,
  type OwnChange,
  ownChangeOf,
  type WorkQuestion,
} from "./own-work.ts";

export type TaskBranch = { readonly ref: string; readonly commit: Oid };

const PREFIX = "refs/heads/feature/";

/** By task. A branch is of the task with the longest id that its name begins with; a number alone is enough where one task has it. */
export async function findTaskBranches(
  repository: Repository,
  tasks: readonly { readonly id: TaskId }[],
): Promise<ReadonlyMap<string, TaskBranch>> {
  const refs = await readRefs(repository, PREFIX);
  const found = new Map<string, TaskBranch>();
  for (const [ref, commit] of refs) {
    const task = taskOf(ref.slice(PREFIX.length), tasks);
    const isBetter = task !== null && (!found.has(task) || ref === PREFIX + task);
    if (isBetter) found.set(task, { ref, commit });
  }
  return found;
}

function taskOf(name: string, tasks: readonly { readonly id: TaskId }[]): TaskId | null {
  const begins = (longer: string, shorter: string) => longer === shorter || longer.startsWith(`${shorter}-`);
  const named = tasks.filter(({ id }) => begins(name, id)).sort((a, b) => b.id.length - a.id.length);
  if (named[0] !== undefined) return named[0].id;
  const numbered = /^task-\d+$/.test(name) ? tasks.filter(({ id }) => begins(id, name)) : [];
  return numbered.length === 1 ? (numbered[0]?.id ?? null) : null;
}

export async function branchWork(
  { objects, judged }: WorkQuestion,
  branch: TaskBranch | null,
  others: readonly TaskBranch[],
): Promise<FoundWork> {
  if (branch === null) return null;
  const { ref, commit } = branch;
  const name = shortName(ref);
  const found = { ...NO_WORK, from: "branch", missing: null } as const;
  if (!(await objects.isAncestor(commit, judged))) {
    const since = await objects.mergeBase(judged, commit);
    const own = since === null ? [] : ((await objects.log({ to: commit, not: [since] })) ?? []);
    const missing = `branch ${name} is not merged`;
    return { ...found, status: "not-merged", commits: own.toReversed(), missing };
  }
  const merge = await mergeOf(objects, commit, judged);
  const change = merge === null ? null : await ownPart(objects, { merge, branch, others });
  const commits =
    merge === null
      ? []
      : await commitsOf(objects, { ...merge, parents: [merge.parents[0] ?? commit, commit] });
  if (merge === null || change === null) {
    const tip = await objects.commit(commit);
    const untold =
      merge === null
        ? `branch ${name} was merged without a merge commit`
        : `branch ${name} was merged together with branches of other tasks`;
    return { ...found, status: "merged", commits: tip === null ? [] : [tip], untold };
  }
  const own = new Set(
    ((await objects.log({ to: commit, not: [change.from] })) ?? []).map((one) => one.commit),
  );
  return {
    ...{ ...found, status: "merged", changes: [change] },
    commits: commits.filter((one) => one.commit === merge.commit || own.has(one.commit)),
  };
}

type CameIn = {
  readonly merge: LoggedCommit;
  readonly branch: TaskBranch;
  readonly others: readonly TaskBranch[];
};

/** A branch on top of another task's branch contains its work too. Null if the two cannot be separated. */
async function ownPart(objects: Objects, { merge, branch, others }: CameIn): Promise<OwnChange | null> {
  const [before] = merge.parents;
  const { commit } = branch;
  if (before === undefined) return null;
  const below: Oid[] = [];
  for (const { commit: other } of others) {
    const isBelow = other !== commit && (await objects.isAncestor(other, commit));
    if (isBelow && !(await objects.isAncestor(other, before))) below.push(other);
  }
  const [first, ...more] = below;
  if (first === undefined) return ownChangeOf(objects, { ...merge, parents: [before, commit] });
  let from = first;
  for (const one of more) {
    const [isUnder, isOver] = [await objects.isAncestor(one, from), await objects.isAncestor(from, one)];
    if (!isUnder && !isOver) return null;
    if (isOver) from = one;
  }
  return { from, to: commit };
}

/** The merge commit of a branch: the first one on the first-parent path that contains it. */
async function mergeOf(objects: Objects, branch: Oid, judged: Oid): Promise<LoggedCommit | null> {
  const way = (await objects.log({ to: judged, not: [branch] }, { firstParent: true })) ?? [];
  let [newest, oldest] = [0, way.length - 1];
  while (newest < oldest) {
    const middle = Math.ceil((newest + oldest) / 2);
    const at = way[middle]?.commit;
    if (at !== undefined && (await objects.isAncestor(branch, at))) newest = middle;
    else oldest = middle - 1;
  }
  const found = way[newest];
  const second = found?.parents[1];
  if (found === undefined || second === undefined) return null;
  return (await objects.isAncestor(branch, second)) ? found : null;
}
