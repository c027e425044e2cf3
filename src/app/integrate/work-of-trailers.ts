// What messages of commits tell of a task's work: plait writes `Plait-Task` and `Plait-Run` into every commit that brings work in, and
// people may write the first themselves. A server that makes one commit of many names all of their tasks in it.

import type { Oid } from "../../core/ids.ts";
import { isStep, type Task } from "../../core/plan.ts";
import type { LoggedCommit, Objects } from "../../git/index.ts";
import {
  commitsOf,
  type FoundWork,
  type JointCommit,
  type OwnChange,
  ownChangeOf,
  type WorkQuestion,
} from "./own-work.ts";

/** By task, the newest first. */
export type TaskCommits = ReadonlyMap<string, readonly JointCommit[]>;

/** Commits of runs of other plans, whose tasks may have the same ids, are left out. */
export async function findTaskCommits(question: WorkQuestion): Promise<TaskCommits> {
  const { objects, plan, judged, isOfPlan } = question;
  const ids = new Set<string>(plan.tasks.map(({ id }) => id));
  const commits = (await objects.log({ to: judged, not: [] }, { naming: true })) ?? [];
  const found = new Map<string, JointCommit[]>();
  for (const commit of commits) {
    const isOurs = ({ task, run }: LoggedCommit["named"][number]) =>
      ids.has(task) && (run === null || isOfPlan(run, task));
    const tasks = [...new Set(commit.named.filter(isOurs).map(({ task }) => task))];
    const others = [...new Set(commit.named.filter((one) => !isOurs(one)).map(({ task }) => task))];
    for (const task of tasks) found.set(task, [...(found.get(task) ?? []), { commit, tasks, others }]);
  }
  return found;
}

export async function trailerWork(
  { objects, repository, plan }: WorkQuestion,
  found: readonly JointCommit[],
): Promise<FoundWork> {
  if (found.length === 0) return null;
  const commits = new Map<string, LoggedCommit>();
  const changes: OwnChange[] = [];
  const joint: JointCommit[] = [];
  const isFree = (task: Task) => task.owns.length === 0 && !isStep(plan, task);
  const free = new Set<string>(plan.tasks.filter(isFree).map(({ id }) => id));
  const isOpen = ({ tasks, others }: JointCommit) =>
    others.length > 0 || tasks.some((task) => free.has(task));
  let untold: string | null = null;
  for (const one of inOrder(await tellingCommits(objects, found))) {
    const { commit } = one;
    if (commits.has(commit.commit)) continue;
    if (isJoint(one)) {
      if (isMerge(one) && commits.size > 0) continue; // the merged commits count
      commits.set(commit.commit, commit);
      joint.push(one);
      untold = isOpen(one) ? formatJoint(one) : untold;
      continue;
    }
    for (const own of await commitsOf(objects, commit)) commits.set(own.commit, own);
    const change = await ownChangeOf(objects, commit);
    if (change !== null) changes.push(change);
    else untold = repository.isShallow ? SHALLOW : "its work is in the first commit of the repository";
  }
  const isCut = repository.isShallow && joint.some(({ commit }) => commit.parents.length === 0);
  return {
    ...{ status: "merged", from: "trailers", commits: [...commits.values()], changes, joint, missing: null },
    untold: isCut ? SHALLOW : untold,
  };
}

const isMerge = ({ commit }: JointCommit): boolean => commit.parents.length > 1;
const isJoint = ({ tasks, others }: JointCommit): boolean => tasks.length + others.length > 1;

/**
 * Without merges that brought the work of others into a branch of the task. Where there are no other commits, their first parent is the
 * task's work, which merges otherwise have as their second.
 */
async function tellingCommits(objects: Objects, found: readonly JointCommit[]): Promise<JointCommit[]> {
  const turned = new Set<JointCommit>();
  for (const one of found)
    if (!isJoint(one) && (await takesOthersIn(objects, one.commit, one.tasks[0] ?? ""))) turned.add(one);
  if (turned.size < found.length) return found.filter((one) => !turned.has(one));
  return found.map((one) => ({
    ...one,
    commit: { ...one.commit, parents: one.commit.parents.toReversed() },
  }));
}

/** Whether a merge brought the work of others into a branch of the task: then its second parent is theirs, and not the task's. */
async function takesOthersIn(objects: Objects, { parents }: LoggedCommit, task: string): Promise<boolean> {
  const [before, result] = parents;
  if (before === undefined || result === undefined) return false;
  const namedIn = async (to: Oid, not: Oid): Promise<ReadonlySet<string>> => {
    const commits = (await objects.log({ to, not: [not] }, { naming: true })) ?? [];
    return new Set(commits.flatMap(({ named }) => named.map((one) => one.task)));
  };
  const there = await namedIn(result, before);
  return !there.has(task) && (there.size > 0 || (await namedIn(before, result)).has(task));
}

/** The oldest first. A merge comes with the commits of the task that it brought in, which say the same; one of several tasks says less. */
function inOrder(found: readonly JointCommit[]): JointCommit[] {
  const oldest = found.toReversed();
  const merges = oldest.filter((one) => isMerge(one) && !isJoint(one));
  const plain = oldest.filter((one) => !isMerge(one));
  return [...merges, ...plain, ...oldest.filter((one) => isMerge(one) && isJoint(one))];
}

const SHALLOW = "this clone is shallow; fetch the history: git fetch --unshallow";

function formatJoint({ commit, tasks, others }: JointCommit): string {
  return `${[...tasks, ...others].join(", ")} landed as one commit, ${commit.commit.slice(0, 7)}`;
}
