// A run that goes on where parallel-orchestra stopped. It took a task for done before its work was merged, so git is asked: what is not
// merged is brought in by a command in the place of the agent, and those who need it start from there.

import type { TaskId } from "../core/ids.ts";
import type { Command, Plan, Task } from "../core/plan.ts";
import { type LeftBranch, leftBranches, mergeLeftBranch, type Repository } from "../git/index.ts";

export type LeftWork = {
  readonly plan: Plan;
  /** Tasks whose work is brought in, each with the branch that holds it. */
  readonly merges: readonly LeftBranch[];
};

const NOTHING: Command = { kind: "argv", argv: ["true"] };

/** The plan with nothing left to do for tasks that are done but to merge them. Without a repository nothing is to be merged. */
export async function withLeftWork(
  repository: Repository | null,
  plan: Plan,
  done: ReadonlySet<TaskId>,
): Promise<LeftWork> {
  const branches = repository === null ? [] : await leftBranches(repository);
  const merges: LeftBranch[] = [];
  const tasks: Task[] = [];
  for (const task of plan.tasks) {
    const left = branches.find((one) => one.task === task.id);
    const isLeft = done.has(task.id) && task.access === "write" && left !== undefined;
    if (!done.has(task.id)) tasks.push(task);
    else if (!isLeft || repository === null) tasks.push(asCommand(task, NOTHING));
    else {
      merges.push(left);
      tasks.push(asCommand(task, await mergeLeftBranch(repository, left)));
    }
  }
  return { plan: { ...plan, tasks }, merges };
}

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
