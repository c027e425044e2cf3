// A run that goes on where parallel-orchestra stopped. It took a task for done before its work was merged, so git is asked: what is not
// merged is brought in by a command in the place of the agent, and those who need it start from there.

import type { TaskId } from "../core/ids.ts";
import type { Command, Plan, Task } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { taskState } from "../core/run-tasks.ts";
import { type LeftBranch, leftBranches, mergeLeftBranch, type Repository } from "../git/index.ts";

export type LeftWork = {
  readonly plan: Plan;
  /** Tasks whose work is brought in, each with the branch that holds it. */
  readonly merges: readonly LeftBranch[];
};

export type Known = {
  readonly done: ReadonlySet<TaskId>;
  /** Those of them whose work is on the branch, whatever git says of theirs. */
  readonly landed: ReadonlySet<TaskId>;
};

const NOTHING: Command = { kind: "argv", argv: ["true"] };

/** The plan with nothing left to do for tasks that are done but to merge them. Without a repository nothing is to be merged. */
export async function withLeftWork(
  repository: Repository | null,
  plan: Plan,
  { done, landed }: Known,
): Promise<LeftWork> {
  const branches = repository === null ? [] : await leftBranches(repository);
  const merges: LeftBranch[] = [];
  const tasks: Task[] = [];
  for (const task of plan.tasks) {
    const left = branches.find((one) => one.task === task.id);
    const isLeft = done.has(task.id) && !landed.has(task.id) && task.access === "write" && left !== undefined;
    if (!done.has(task.id)) tasks.push(task);
    else if (!isLeft || repository === null) tasks.push(asCommand(task, NOTHING));
    else {
      merges.push(left);
      tasks.push(asCommand(task, await mergeLeftBranch(repository, left)));
    }
  }
  return { plan: { ...plan, tasks }, merges };
}

export type Unmerged = {
  /** By task whose work the run did not bring in: the branch that holds it. */
  readonly left: ReadonlyMap<TaskId, string>;
  /** Tasks of which git says that somebody has merged it meanwhile. */
  readonly merged: readonly TaskId[];
};

/** What became of work that such a run could not bring in. A manifest has no commands of its own, so each is a merge. */
export async function unmergedIn(repository: Repository | null, state: RunState): Promise<Unmerged> {
  const isMerge = ({ work }: Task): boolean => work.kind === "command" && work.run.kind === "shell";
  const undone = state.index.plan.tasks.filter((task, i) => {
    const { kind } = taskState(state, i).phase;
    return isMerge(task) && (kind === "failed" || kind === "held");
  });
  const branches = repository === null || undone.length === 0 ? [] : await leftBranches(repository);
  const branchOf = new Map(branches.map(({ task, branch }) => [task, branch]));
  const left = undone.flatMap(({ id }): [TaskId, string][] => {
    const branch = branchOf.get(id);
    return branch === undefined ? [] : [[id, branch]];
  });
  return { left: new Map(left), merged: undone.map(({ id }) => id).filter((id) => !branchOf.has(id)) };
}

export const bringsIn = ({ tasks }: Plan): boolean => tasks.some(({ work }) => work.kind === "command");

/** Nothing is copied for it: what lies in the way of a merge would stop it. What fails is not mended by another try. */
function asCommand(task: Task, run: Command): Task {
  return {
    ...task,
    work: { kind: "command", run },
    prepare: { ...task.prepare, copy: [], include: [], envFiles: false, setup: [], teardown: [] },
    ...{ owns: [], boundary: [], reports: [], artifacts: [], hears: null, doneFile: null, dir: null },
    ...{ retries: 0, fixRounds: 0, allowEmpty: true },
  };
}
