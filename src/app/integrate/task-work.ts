// The work of every task of a plan, as far as git and journals tell: in which commits it came, and what it changed itself. Asked in
// this order: the journal of a run, trailers of commits, branches as an older tool made them.

import type { Task } from "../../core/plan.ts";
import { type FoundWork, type JointCommit, NO_WORK, type TaskWork, type WorkQuestion } from "./own-work.ts";
import { branchWork, findTaskBranches } from "./work-of-branch.ts";
import { runWork } from "./work-of-run.ts";
import { findTaskCommits, trailerWork } from "./work-of-trailers.ts";

/** In the order of the plan. Checks that the plan runs between its tasks are no work. */
export async function findTaskWork(question: WorkQuestion): Promise<TaskWork[]> {
  const tasks = question.plan.tasks.filter((task) => !isCheck(task));
  const trailers = await findTaskCommits(question);
  const branches = await findTaskBranches(question.repository, tasks);
  const found: TaskWork[] = [];
  for (const task of tasks) {
    const said = await runWork(question, task);
    const named = trailers.get(task.id) ?? [];
    // A later run that found nothing left to do says nothing about the one that did it.
    const work =
      said?.status === "merged"
        ? await withTrailers(question, said, named)
        : ((await trailerWork(question, named)) ??
          said ??
          (await branchWork(question, branches.get(task.id) ?? null, [...branches.values()])) ??
          buildNoWork(task));
    found.push({ task, ...work });
  }
  return found;
}

/**
 * A clone knows commits by their messages only, and judges by all of them. So what other runs of the plan and people did of the task counts
 * beside its run too, and commits that a landing made anew are told as they landed.
 */
async function withTrailers(
  question: WorkQuestion,
  said: NonNullable<FoundWork>,
  named: readonly JointCommit[],
): Promise<NonNullable<FoundWork>> {
  if (question.byHistory) return said;
  const run = question.known?.run ?? null;
  const isOfRun = ({ commit }: JointCommit) => commit.named.some((one) => run !== null && one.run === run);
  const known = new Set<string>(said.commits.map(({ commit }) => commit));
  const isNew = (one: JointCommit) => !isOfRun(one) && !known.has(one.commit.commit);
  const more = await trailerWork(question, named.filter(isNew));
  const landed = named.filter(isOfRun).map(({ commit }) => commit);
  const isAnew = landed.length > 0 && !landed.some(({ commit }) => known.has(commit));
  const commits = isAnew ? landed.toReversed() : said.commits;
  if (more === null) return { ...said, commits };
  return {
    ...said,
    commits: [...commits, ...more.commits],
    changes: [...said.changes, ...more.changes],
    joint: more.joint,
    untold: said.untold ?? more.untold,
  };
}

const isCheck = ({ work, access }: Task): boolean => work.kind === "command" && access === "read-only";

/** Read-only tasks and installing steps need not change anything. */
function buildNoWork({ access, work, owns }: Task): Omit<TaskWork, "task"> {
  const nothing = { from: null, ...NO_WORK } as const;
  if (access === "read-only" || (work.kind === "command" && owns.length === 0))
    return { ...nothing, status: "changes-nothing", missing: null };
  return { ...nothing, status: "no-commits", missing: null };
}
