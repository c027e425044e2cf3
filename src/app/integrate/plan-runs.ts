import type { Plan, PlanSource } from "../../core/plan.ts";
import type { Repository } from "../../git/index.ts";
import { runSlug } from "../run-slug.ts";
import { type KnownRun, latestRuns } from "../runs.ts";

/** A repository may have hundreds of runs, and to read all of their journals takes seconds. */
const MOST_READ = 100;

export type PlanRuns = {
  /** The latest first. */
  readonly runs: readonly KnownRun[];
  /** Whether a run of this name is one of the plan's, also where its journal is gone. */
  readonly has: (run: string) => boolean;
};

/**
 * The runs of a plan: by where it lies, and where no run is of that place (the repository has moved since), by what it was called.
 */
export async function runsOfPlan(repository: Repository, plan: Plan): Promise<PlanRuns> {
  const { runs: all } = await latestRuns(repository, MOST_READ);
  const same = all.filter(({ state }) => isInPlace(state.index.plan, plan));
  const runs = same.length > 0 ? same : all.filter(({ state }) => isCalledSo(state.index.plan, plan));
  const [own, known] = [new Set<string>(runs.map(nameOf)), new Set<string>(all.map(nameOf))];
  const slug = runSlug(plan.name);
  const isNamedSo = (run: string) => run.slice(0, run.lastIndexOf("-")) === slug;
  return { runs, has: (run) => own.has(run) || (!known.has(run) && isNamedSo(run)) };
}

const nameOf = ({ run }: KnownRun): string => run;

/** One that has begun says more than a later one that has not. */
export function tellingRun(runs: readonly KnownRun[]): KnownRun | null {
  return runs.find(({ state }) => state.begun) ?? runs[0] ?? null;
}

export function isRunOf({ state }: KnownRun, plan: Plan): boolean {
  return isInPlace(state.index.plan, plan) || isCalledSo(state.index.plan, plan);
}

function isInPlace(one: Plan, other: Plan): boolean {
  const place = placeOf(one.source);
  return place !== null && place === placeOf(other.source);
}

/** An artefact folder may have been named by its manifest. */
function placeOf({ absolute }: PlanSource): string | null {
  return absolute?.replace(/\/manifest\.json$/, "") ?? null;
}

function isCalledSo(one: Plan, other: Plan): boolean {
  const path = ({ source }: Plan) => source.path.replace(/\/(?:manifest\.json)?$/, "");
  return one.source.format === other.source.format && one.name === other.name && path(one) === path(other);
}
