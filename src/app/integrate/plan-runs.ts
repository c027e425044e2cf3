import type { Plan, PlanSource } from "../../core/plan.ts";
import type { Repository } from "../../git/index.ts";
import { type KnownRun, latestRuns, runSlug } from "../runs.ts";

/** A repository may have hundreds of runs, and to read all of their journals takes seconds. */
const MOST_READ = 100;

export type PlanRuns = {
  /** The latest first. */
  readonly runs: readonly KnownRun[];
  /** Whether a run of this name ran this task, even if its journal is gone: another plan may use the same id. */
  readonly hasTask: (run: string, task: string) => boolean;
};

/**
 * The runs of a plan: by its path or, if the repository has moved since, by its name.
 */
export async function runsOfPlan(repository: Repository, plan: Plan): Promise<PlanRuns> {
  const { runs: all } = await latestRuns(repository, MOST_READ);
  const same = all.filter(({ state }) => isInPlace(state.index.plan, plan));
  const runs = same.length > 0 ? same : all.filter(({ state }) => isCalledSo(state.index.plan, plan));
  const [own, known] = [new Map(runs.map((one) => [nameOf(one), one])), new Set<string>(all.map(nameOf))];
  const slug = runSlug(plan.name);
  const isNamedSo = (run: string) => run.slice(0, run.lastIndexOf("-")) === slug;
  const hasTask = (run: string, task: string) => {
    const of = own.get(run);
    return of === undefined ? !known.has(run) && isNamedSo(run) : isSameTask(of.state.index.plan, plan, task);
  };
  return { runs, hasTask };
}

function isSameTask(one: Plan, other: Plan, id: string): boolean {
  const said = ({ tasks }: Plan) => {
    const task = tasks.find((some) => some.id === id);
    return task === undefined ? null : JSON.stringify([task.title, task.owns, task.boundary]);
  };
  return said(one) !== null && said(one) === said(other);
}

const nameOf = ({ run }: KnownRun): string => run;

/** The latest run that has started tasks. */
export function findInformativeRun(runs: readonly KnownRun[]): KnownRun | null {
  return runs.find(({ state }) => state.begun) ?? runs[0] ?? null;
}

export function isRunOf({ state }: KnownRun, plan: Plan): boolean {
  return isInPlace(state.index.plan, plan) || isCalledSo(state.index.plan, plan);
}

function isInPlace(one: Plan, other: Plan): boolean {
  const place = placeOf(one.source);
  return place !== null && place === placeOf(other.source);
}

/** An artifact folder may be named by its manifest. */
function placeOf({ absolute }: PlanSource): string | null {
  return absolute?.replace(/\/manifest\.json$/, "") ?? null;
}

function isCalledSo(one: Plan, other: Plan): boolean {
  const path = ({ source }: Plan) => source.path.replace(/\/(?:manifest\.json)?$/, "");
  return one.source.format === other.source.format && one.name === other.name && path(one) === path(other);
}
