// The runs of a cpo folder, what of it has landed already, and the plan that a run goes on with: the folder as it is now, and what is
// done as the run has done it.

import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { TaskId } from "../../core/ids.ts";
import type { Plan, PlanSource, Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { RunState } from "../../core/run-state.ts";
import { isSatisfied, taskState } from "../../core/run-tasks.ts";
import { hasSucceeded } from "../../core/select/run-status.ts";
import { entries } from "../../core/sorted-map.ts";
import { countCommits, isGitFailure, type Repository } from "../../git/index.ts";
import { kindOf, waveNumbers } from "../../report/cpo/outline.ts";
import type { Host, OrRefusal } from "../host.ts";
import { type KnownRun, latestRuns, repositoryOfRuns } from "../runs.ts";

export type GoingOn = {
  readonly plan: Plan;
  /** Validations that have more to judge than they had. */
  readonly redo: readonly TaskId[];
  /** What is not done, or has to be done again. */
  readonly left: readonly TaskId[];
  /** Done, so that what was written for them since has no effect. */
  readonly stays: readonly TaskId[];
  /** Whether it asks for anything else than the run has. */
  readonly isNew: boolean;
};

/** The latest that is not done. One that was taken back is gone on with only where nothing came after it. */
export function unfinishedOf<R extends Pick<KnownRun, "state">>(runs: readonly R[]): R | null {
  const isLeft = ({ state }: R, n: number) =>
    !hasSucceeded(state) && (n === 0 || state.landing.kind !== "undone");
  return runs.find(isLeft) ?? null;
}

/** Null where nothing is left of it. A run of one wave stays with that wave. */
export function planToGoOn(
  { state, facts }: Pick<KnownRun, "state" | "facts">,
  now: Plan,
  isLeftOut: (task: Task) => boolean,
): GoingOn | null {
  const known = new Map(
    state.index.plan.tasks.filter(({ id }) => !state.gone.has(id)).map((task) => [task.id, task]),
  );
  const [first] = facts;
  const chosen = first?.type === "run.started" ? first.selected : null;
  const isOfRun = chosen === null ? () => true : inWavesOf([...known.values()], chosen);
  const isWanted = (task: Task) => !isLeftOut(task) && (known.has(task.id) || isOfRun(task, now));
  const wanted = now.tasks.filter(isWanted);
  const stillToDo = new Set(wanted.map(({ id }) => id).filter((id) => !isDone(state, id)));
  const redo = wanted
    .filter((task) => isDone(state, task.id) && hasMore(task, stillToDo))
    .map(({ id }) => id);
  const isKept = (id: TaskId) => known.has(id) && isSettledFor(state, id) && !redo.includes(id);
  const ids = new Set(now.tasks.map(({ id }) => id));
  const dropped = [...known.values()].filter(({ id }) => isKept(id) && !ids.has(id));
  const tasks = [
    ...now.tasks.map((task) => (isKept(task.id) ? (known.get(task.id) as Task) : task)),
    ...dropped,
  ];
  const plan = partOfPlan({ ...now, tasks }, (task) => isKept(task.id) || isWanted(task));
  if (plan === null) return null;
  const stays = now.tasks.filter((task) => isKept(task.id) && isRewritten(task, known)).map(({ id }) => id);
  const isSame = plan.tasks.length === known.size && plan.tasks.every(({ id }) => known.has(id));
  const isNew = !isSame || plan.source.hash !== state.index.plan.source.hash;
  const left = plan.tasks.map(({ id }) => id).filter((id) => redo.includes(id) || !isDone(state, id));
  return { plan, redo, left, stays, isNew };
}

/** What comes before all waves belongs to the first. */
function inWavesOf(tasks: readonly Task[], chosen: readonly TaskId[]): (task: Task, plan: Plan) => boolean {
  const numberIn = (plan: Pick<Plan, "tasks">) => {
    const numberOf = waveNumbers(plan);
    return (task: Task) => Math.max(1, numberOf(task));
  };
  const waves = new Set(tasks.filter(({ id }) => chosen.includes(id)).map(numberIn({ tasks })));
  return (task, plan) => waves.has(numberIn(plan)(task));
}

function isDone(state: RunState, id: TaskId): boolean {
  const i = state.index.indexOf.get(id);
  return i !== undefined && isSatisfied(taskState(state, i).phase);
}

/** Done, or in the hands of a person: neither is changed under way. */
function isSettledFor(state: RunState, id: TaskId): boolean {
  const i = state.index.indexOf.get(id);
  return isDone(state, id) || (i !== undefined && taskState(state, i).open !== null);
}

function hasMore(task: Task, stillToDo: ReadonlySet<TaskId>): boolean {
  return kindOf(task) === "validation" && task.needs.some((id) => stillToDo.has(id));
}

function isRewritten(task: Task, known: ReadonlyMap<TaskId, Task>): boolean {
  const words = ({ work }: Task) => JSON.stringify(work.kind === "agent" ? work.prompt.hash : work.run);
  const before = known.get(task.id);
  return before !== undefined && words(before) !== words(task);
}

/** The same plan with the tasks that are wanted. Null where none is left. */
export function partOfPlan(plan: Plan, isWanted: (task: Task) => boolean): Plan | null {
  const kept = new Set(plan.tasks.filter(isWanted).map(({ id }) => id));
  if (kept.size === 0) return null;
  const tasks = plan.tasks.filter(({ id }) => kept.has(id)).map((task) => without(task, kept));
  return { ...plan, tasks };
}

function without(task: Task, kept: ReadonlySet<TaskId>): Task {
  const { hears } = task;
  return {
    ...task,
    needs: task.needs.filter((id) => kept.has(id)),
    hears: hears === null ? null : { ...hears, from: hears.from.filter(({ task: from }) => kept.has(from)) },
  };
}

export type FolderRuns = {
  readonly repository: Repository;
  /** The latest first. */
  readonly runs: readonly KnownRun[];
};

/** `folder` is absolute. */
export async function runsOfFolder(host: Host, folder: string): Promise<OrRefusal<FolderRuns>> {
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const { runs } = await latestRuns(repository);
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
      if (isSatisfied(phase)) done.add(taskAt(state.index, i).id);
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
