// The runs of a repository, or of a folder outside any repository, read from their journals.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { replay } from "../core/evolve.ts";
import type { EpochMs, Fact } from "../core/facts.ts";
import { parseRunId, type RunId, type TaskId } from "../core/ids.ts";
import { parseFact } from "../core/parse-fact.ts";
import type { RunState } from "../core/run-state.ts";
import { formatSuggestion } from "../core/select/suggestion.ts";
import type { SeenRun } from "../core/select/task-status.ts";
import { plait } from "../core/text/command.ts";
import { cutList } from "../core/text/figures.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import { readPlace } from "../engines/local/place.ts";
import { type RunFolder, runFolder } from "../engines/local/run-folder.ts";
import type { Repository } from "../git/index.ts";
import { isJournalError } from "../journal/failure.ts";
import { type Holder, probe } from "../journal/holder.ts";
import { readHolder } from "../journal/lock-file.ts";
import { readJournal } from "../journal/read.ts";
import { ifMissing, succeeds } from "../util/errno.ts";
import { findRepository, type Host, type OrRefusal, refuse, runsFolder } from "./host.ts";
import { matchTask } from "./match-tasks.ts";
import { existingStandIn } from "./without-repository.ts";

/** One run, at the moment when its journal was read. */
export type KnownRun = {
  readonly run: RunId;
  readonly folder: RunFolder;
  readonly state: RunState;
  readonly facts: readonly Fact[];
  /** The process that runs it; null when there is none. */
  readonly driver: Holder | null;
};

/** As status shows it. */
export const seeRun = ({ state, driver }: KnownRun): SeenRun => ({ state, isRunning: driver !== null });

/** A run whose journal cannot be read: damaged, or written by a later plait. */
type DamagedRun = { readonly run: RunId; readonly problem: string; readonly hint: string };

export type RunList = { readonly runs: readonly KnownRun[]; readonly damaged: readonly DamagedRun[] };

/** Where the runs are that a command in this folder is about: outside any repository, only where there are some. */
export function repositoryOfRuns(host: Host): Promise<OrRefusal<{ repository: Repository }>> {
  return findRepository(host, async (refusal) => {
    const repository = await existingStandIn(host);
    if (repository === null || (await runNames(repository)).length === 0) return { ok: false, refusal };
    return { ok: true, repository };
  });
}

/** All runs, the latest first. Folders whose journal tells of no run are left out: a start that was cut off. */
export async function listRuns(repository: Repository): Promise<RunList> {
  return readRuns(repository, await runNames(repository));
}

/** Those whose journals were written last: to read hundreds of journals takes seconds. */
export async function latestRuns(repository: Repository, most = 100): Promise<RunList> {
  const folder = runsFolder(repository);
  const written = (await runNames(repository)).map(async (name) => {
    const found = await stat(runFolder(join(folder, name)).journal).catch(() => null); // a start that was cut off
    return { name, at: found?.mtimeMs ?? 0 };
  });
  const latest = (await Promise.all(written)).sort((a, b) => b.at - a.at).slice(0, most);
  const names = latest.map(({ name }) => name);
  return readRuns(repository, names);
}

/** Of a repository that stands in, those of the folder that it stands in for. */
export async function runNames(repository: Repository): Promise<string[]> {
  const names = await allRunNames(repository);
  const { standsInFor } = repository;
  if (standsInFor === null) return names;
  const top = runsFolder(repository);
  const places = await Promise.all(names.map((name) => readPlace(runFolder(join(top, name)))));
  return names.filter((_, i) => [places[i]?.folder, places[i]?.asked].includes(standsInFor));
}

export async function allRunNames(repository: Repository): Promise<string[]> {
  return readdir(runsFolder(repository)).catch(ifMissing([]));
}

async function readRuns(repository: Repository, names: readonly string[]): Promise<RunList> {
  const folder = runsFolder(repository);
  const found = await Promise.all(names.map((name) => readRunOrDamage(join(folder, name), name)));
  const runs = found.flatMap((run) => (run !== null && "state" in run ? [run] : []));
  const damaged = found.flatMap((run) => (run !== null && "problem" in run ? [run] : []));
  return { runs: runs.sort((a, b) => b.state.startedAt - a.state.startedAt), damaged };
}

/** One damaged journal must not hide all other runs. */
export async function readRunOrDamage(path: string, name: string): Promise<KnownRun | DamagedRun | null> {
  try {
    return await readRun(path, name);
  } catch (error) {
    if (!isJournalError(error)) throw error;
    return { run: name as RunId, problem: error.message, hint: error.hint }; // readRun has parsed the name
  }
}

/** Null where its journal tells of no run. */
export async function readRun(path: string, name: string): Promise<KnownRun | null> {
  const parsed = parseRunId(name);
  if (!parsed.ok) return null;
  const folder = runFolder(path);
  const facts = await factsOf(folder);
  const state = replay(facts);
  if (state === null) return null;
  return { run: parsed.id, folder, state, facts, driver: await findRunProcess(folder) };
}

async function factsOf({ journal }: RunFolder): Promise<readonly Fact[]> {
  try {
    return (await readJournal<Fact>(journal, { parse: parseFact })).facts;
  } catch (error) {
    if (isJournalError(error) && error.code === "missing") return [];
    throw error;
  }
}

/** Null if the holder of the lock is dead: the next process takes it. */
export async function findRunProcess({ lock }: Pick<RunFolder, "lock">): Promise<Holder | null> {
  const found = await readHolder(lock);
  if (found.kind !== "holder") return null;
  return (await probe(found.holder)).kind === "dead" ? null : found.holder;
}

const SETTLED_MS = 60_000;

/**
 * Removes folders of starts that were cut off before their first fact: nothing was made yet but the folder. A start that is
 * under way holds its lock, or is so young that it has none yet.
 */
export async function removeCutOffStarts(repository: Repository, now: EpochMs): Promise<void> {
  const folder = runsFolder(repository);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: now };
    if (now - mtimeMs < SETTLED_MS || !parseRunId(name).ok) continue;
    if (await succeeds(stat(runFolder(path).mark))) continue; // marked by who has read its journal
    const known = await readRunOrDamage(path, name);
    if (known === null && (await findRunProcess(runFolder(path))) === null)
      await rm(path, { recursive: true, force: true });
  }
}

export type FoundRun = { readonly repository: Repository; readonly known: KnownRun };

/** Which runs a command is for, and what to say where there are runs and none of them is. */
export type WantedRun = {
  readonly fits: (run: KnownRun) => boolean;
  /** Of several, the one for which this is latest; left out: the one that started last. */
  readonly since?: (state: RunState) => EpochMs;
  /** The command changes nothing: of several runs that begin alike the latest is meant. */
  readonly isRead?: true;
  readonly none: { readonly message: string; readonly hint: Sentence; readonly namesRuns?: true };
};

const ANY: WantedRun = {
  fits: () => true,
  none: { message: "no runs in this repository", hint: fix("start one", plait("run", "plan.yaml")) },
};

/** For commands that only show a run. */
export const SHOWN: WantedRun = { ...ANY, isRead: true };

/** The run of that name, or the latest that fits. A beginning is enough where it means one run only. */
export async function findRun(
  host: Host,
  name: string | null,
  wanted: WantedRun = ANY,
): Promise<OrRefusal<FoundRun>> {
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const { runs, damaged } = await listRuns(repository);
  if (name === null) {
    const known = findLatest(runs.filter(wanted.fits), wanted.since);
    if (known !== undefined) return { ok: true, repository, known };
    const { message, hint, namesRuns } = (runs.length === 0 ? ANY : wanted).none;
    const names = runs.map(({ run }) => run);
    return refuse("request", namesRuns === true ? `${message}: ${cutList(names, MOST_RUNS)}` : message, hint);
  }
  const begun = runs.filter(({ run }) => run.startsWith(name));
  const known = runs.find(({ run }) => run === name) ?? onlyOne(begun, wanted) ?? latest(begun, wanted);
  if (known !== null) return { ok: true, repository, known };
  const broken = damaged.find(({ run }) => run === name);
  if (broken !== undefined) return refuse("environment", broken.problem, broken.hint);
  if (begun.length > 1) {
    const names = begun.map(({ run }) => run).join(", ");
    return refuse("request", `run ${name} is ambiguous: ${names}`, LIST_RUNS);
  }
  const names = runs.map(({ run }) => run);
  return refuse("request", `unknown run ${JSON.stringify(name)}`, formatSuggestion(name, names) ?? LIST_RUNS);
}

const MOST_RUNS = 3;

/** Runs are listed from the latest to the oldest. */
function findLatest(runs: readonly KnownRun[], since: WantedRun["since"]): KnownRun | undefined {
  if (since === undefined) return runs[0];
  return runs.toSorted((a, b) => since(b.state) - since(a.state))[0];
}

export const LIST_RUNS: Sentence = fix("list the runs", plait("runs"));

/** Of several that begin alike, the one that the command is for, then the one that is running. */
function onlyOne(begun: readonly KnownRun[], { fits }: WantedRun): KnownRun | null {
  const fitting = begun.filter(fits);
  const meant = fitting.length === 0 ? begun : fitting;
  const driven = meant.filter(({ driver }) => driver !== null);
  for (const runs of [begun, meant, driven]) if (runs.length === 1) return runs[0] ?? null;
  return null;
}

/** Whoever only looks at runs means the latest, and sees its name. */
const latest = (begun: readonly KnownRun[], { isRead }: WantedRun): KnownRun | null =>
  isRead === true ? (begun[0] ?? null) : null;

/** A task of a run, by its id or the beginning of one id only. */
export function findTask({ state, run }: KnownRun, name: string): OrRefusal<{ task: TaskId }> {
  const ids = state.index.plan.tasks.map(({ id }) => id);
  return matchTask(name, { ids, place: run, list: fix("list the tasks", plait("status", run)) });
}

/** What the ids of all runs of a plan begin with, in front of a dash and four letters. */
export function runSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return slug === "" ? "run" : slug;
}

/** The run that a page is to show; also one that is damaged, which the page shows as far as it can be read. */
export async function findPageRun(
  host: Host,
  name: string,
): Promise<OrRefusal<{ run: RunId; damage: DamagedRun | null }>> {
  const found = await findRun(host, name);
  if (found.ok) return { ok: true, run: found.known.run, damage: null };
  const opened = await repositoryOfRuns(host);
  const damage = opened.ok
    ? (await listRuns(opened.repository)).damaged.find(({ run }) => run === name)
    : null;
  return damage == null ? found : { ok: true, run: damage.run, damage };
}
