import { fix } from "../../core/text/sentence.ts";
// What is checked: the plan and its folder, the repository, and the run that knows the commits of each task.

import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Plan, PlanSource } from "../../core/plan.ts";
import { plait } from "../../core/text/command.ts";
import { listUncommitted, type Repository } from "../../git/index.ts";
import { RUN_VARIABLE } from "../../process/markers.ts";
import type { IntegrationSubject } from "../../spec/integrate/report.ts";
import { findRepository, type Host, type OrRefusal, refuse, runsFolder } from "../host.ts";
import { findRun, type KnownRun, latestRuns, readRun, runSlug } from "../runs.ts";
import { type ArtifactFolder, openArtifactFolder, readSpecSources } from "./artifact-folder.ts";

export type SubjectAsked = {
  /** Null: that of the run. */
  readonly plan: Plan | null;
  /** The artifact folder as it was named; null if the plan is a file. */
  readonly folder: string | null;
  /** Of which the commits of tasks are; null: the latest of the plan. */
  readonly run: string | null;
  /** A gate inside a run: the files of the folder are checked. */
  readonly enforce: boolean;
  readonly caps: Caps;
};

export type Subject = {
  readonly repository: Repository;
  readonly plan: Plan;
  readonly runs: PlanRuns;
  readonly run: KnownRun | null;
  readonly folder: ArtifactFolder | null;
};

export async function findSubject(host: Host, asked: SubjectAsked): Promise<OrRefusal<{ subject: Subject }>> {
  const here = { ...host, cwd: asked.folder === null ? host.cwd : resolve(host.cwd, asked.folder) };
  const found = await findRepository(here);
  if (!found.ok) return found;
  const { repository } = found;
  const known = await runAsked(here, repository, asked);
  if (!known.ok) return known;
  const plan = asked.plan ?? known.run?.state.index.plan ?? null;
  if (plan === null) return noRun("no runs in this repository");
  const opened = await openFolder(host, repository, { plan, asked });
  if (!opened.ok) return opened;
  const runs = await runsOfPlan(repository, plan);
  const run = known.run ?? (asked.enforce ? null : findInformativeRun(runs.runs));
  return { ok: true, subject: { repository, plan, runs, run, folder: opened.folder } };
}

/** The named run, or the one that this process is a gate of. Null: the latest of the plan. */
async function runAsked(
  host: Host,
  repository: Repository,
  { run, enforce, plan }: SubjectAsked,
): Promise<OrRefusal<{ readonly run: KnownRun | null }>> {
  const outer = enforce ? host.env[RUN_VARIABLE] : undefined;
  if (run === null && outer !== undefined)
    return { ok: true, run: await readRun(join(runsFolder(repository), outer), outer) };
  if (run === null && plan !== null) return { ok: true, run: null };
  const found = await findRun(host, run);
  if (!found.ok)
    return run === null && found.refusal.kind === "request" ? noRun(found.refusal.message) : found;
  const { known } = found;
  if (plan === null || isRunOf(known, plan)) return { ok: true, run: known };
  const { path } = known.state.index.plan.source;
  const hint = fix("check that plan", plait("integrate", [], { run: known.run }));
  return refuse("request", `${known.run} is a run of another plan: ${path}`, hint);
}

/** Without a journal, commits name their tasks but not the plan. */
const noRun = (message: string) =>
  refuse("request", message, fix("pass a plan", plait("integrate", "plan.yaml")));

export const isInsideRun = ({ env }: Pick<Host, "env">): boolean => env[RUN_VARIABLE] !== undefined;

async function openFolder(
  host: Host,
  repository: Repository,
  { plan, asked: { folder, caps } }: { readonly plan: Plan; readonly asked: SubjectAsked },
): Promise<OrRefusal<{ readonly folder: ArtifactFolder | null }>> {
  const { workTree } = repository;
  const place = folder === null ? await placeHere(repository, plan.source) : null;
  const named = folder ?? (place === null ? null : relative(host.cwd, place) || ".");
  if (named === null || workTree === null) return { ok: true, folder: null };
  return openArtifactFolder(host, { named, root: workTree, caps });
}

/** Where the folder of a run is in this work tree: a gate stands in another one than the run was started in. */
async function placeHere(
  { workTree, commonDir }: Repository,
  { format, absolute }: PlanSource,
): Promise<string | null> {
  if (format !== "cpo" || absolute === undefined || workTree === null) return null;
  const path = absolute.replace(/\/manifest\.json$/, "");
  const ways = [workTree, dirname(commonDir)].map((root) => relative(root, path));
  const way = ways.find((one) => !one.startsWith(".."));
  const place = way === undefined ? null : join(workTree, way);
  return place !== null && (await isFolder(place)) ? place : null;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null); // gone since it was run
  return found?.isDirectory() ?? false;
}

export async function describeSubject(
  { plan, folder, repository }: Subject,
  caps: Caps,
): Promise<IntegrationSubject> {
  const { workTree } = repository;
  const base = { plan: plan.name, isFolder: folder !== null, prd: null, techSpecId: null, techSpec: null };
  if (folder !== null && workTree !== null)
    return { ...base, path: folder.place, ...(await readSpecSources(folder, caps)) };
  const { absolute, path } = plan.source;
  const way = absolute === undefined || workTree === null ? path : relative(workTree, absolute);
  return { ...base, path: way.startsWith("..") ? path : way };
}

/**
 * Changes of the user that agents would not see, since they are not committed. The manifest of the artifact folder (absolute) is left
 * out: every judgement changes it.
 */
export async function listUnseen(repository: Repository, folder: string | null): Promise<string[]> {
  const own = folder === null ? null : relative(repository.workTree ?? folder, join(folder, "manifest.json"));
  return (await listUncommitted(repository)).filter((path) => path !== own);
}

type PlanRuns = {
  /** The latest first. */
  readonly runs: readonly KnownRun[];
  /** Whether a run of this name ran this task, even if its journal is gone: another plan may use the same id. */
  readonly hasTask: (run: string, task: string) => boolean;
};

/**
 * The runs of a plan: by its path or, if the repository has moved since, by its name.
 */
export async function runsOfPlan(repository: Repository, plan: Plan): Promise<PlanRuns> {
  const { runs: all } = await latestRuns(repository);
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
function findInformativeRun(runs: readonly KnownRun[]): KnownRun | null {
  return runs.find(({ state }) => state.begun) ?? runs[0] ?? null;
}

function isRunOf({ state }: KnownRun, plan: Plan): boolean {
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
