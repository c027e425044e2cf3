// What runs leave behind goes: folder, saved work, branches. In this order, so that a clean that is cut off can be repeated:
// worktrees, refs, and the folder last, in one step. Nothing else of the repository is touched (I3), and what may hold the
// only copy of somebody's work stays and is named (I2).

import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { EpochMs } from "../core/facts.ts";
import { type AttemptId, type RefName, type RunId, splitAttemptId } from "../core/ids.ts";
import { hasUnlanded } from "../core/landing.ts";
import type { RunState } from "../core/run-state.ts";
import { openTasks, stayingTrees } from "../core/select/task-lists.ts";
import { values } from "../core/sorted-map.ts";
import { forRun, otherCommand, plait } from "../core/text/command.ts";
import { fix, plainText, type Sentence } from "../core/text/sentence.ts";
import { clearSocket, readControlFile } from "../engines/local/control-path.ts";
import { forgetGreens, greenFolder } from "../engines/local/green-memory.ts";
import { readIsolation } from "../engines/local/place.ts";
import {
  cleanModuleRefs,
  cleanRefs,
  findUses,
  listSaved,
  openPool,
  openShadow,
  type Repository,
  readRefs,
  repositoryFolder,
  type SavedWork,
  shortName,
} from "../git/index.ts";
import type { Holder } from "../journal/holder.ts";
import { acquireLock } from "../journal/lock.ts";
import { ifMissing } from "../util/errno.ts";
import { cleanCopies, cleanTalks, type Leftovers } from "./clean-leftovers.ts";
import { folderBytes, isThere } from "./folders.ts";
import { clockOf, type Host, type OrRefusal, runsFolder, stateFolder } from "./host.ts";
import { refuseInsideRunsOf } from "./refuse-inside-run.ts";
import { allRunNames, findRun, type KnownRun, listRuns, repositoryOfRuns } from "./runs.ts";
import { describeUnlanded } from "./unlanded-work.ts";

export type CleanRequest = {
  /** This run, however young, and also when it has not ended; null: all that ended before. */
  readonly run: string | null;
  readonly days: number;
  /** Say what would go, and leave it. */
  readonly dryRun: boolean;
  /** Also work that has not landed. */
  readonly force?: boolean;
};

/** What went, or with `dryRun` would go. */
export type CleanedRun = {
  readonly run: RunId;
  /** Null when only its refs were left. */
  readonly folder: string | null;
  /** The folder that its worktrees are in, where it has any. */
  readonly worktrees: string | null;
  /** Of both. */
  readonly bytes: number;
  readonly refs: readonly RefName[];
  /** Tasks that are merged and have landed nowhere: their work goes with the refs. */
  readonly unlanded: number;
};

/** What stays although it was asked for, and what to do about it. */
export type StayingRun = {
  readonly run: RunId;
  readonly why: string;
  /** In this order, or one or the other; each has one command. */
  readonly hints: readonly string[];
};

export type Cleaned = {
  readonly removed: readonly CleanedRun[];
  readonly stays: readonly StayingRun[];
  /** What was said with agents outside of runs; none where one run is named. */
  readonly talks: Leftovers;
  /** Copies of dependency folders; none where one run is named. */
  readonly copies: Leftovers;
};

const DAY_MS = 24 * 3_600_000;

export async function cleanRuns(host: Host, request: CleanRequest): Promise<OrRefusal<Cleaned>> {
  const chosen = await chooseRuns(host, request);
  if (!chosen.ok) return chosen;
  const { repository, runs, strays, unfinished } = chosen;
  const inside = request.dryRun ? null : await refuseInsideRunsOf(runsFolder(repository));
  if (inside !== null) return inside;
  const job: Job = { host, repository, dryRun: request.dryRun, force: request.force ?? false };
  if (!request.dryRun) await sweep(repository);
  const removed: CleanedRun[] = [];
  const stays: StayingRun[] = [...unfinished];
  const take = (result: Removal): void => {
    if (result.removed !== null) removed.push(result.removed);
    stays.push(...result.stays);
  };
  for (const known of runs) take(await cleanRun(job, known));
  for (const run of strays) take(await cleanStray(job, run));
  const { dryRun, days } = request;
  const before = clockOf(host).now() - days * DAY_MS;
  const talks = request.run === null ? await cleanTalks(host, repository, { before, dryRun }) : NONE;
  const copies = request.run === null ? await cleanCopies(host, repository, { before, dryRun }) : NONE;
  if (request.run === null && !dryRun) await forgetGreens(greenFolder(join(runsFolder(repository), "any")));
  return { ok: true, removed, stays, talks, copies };
}

const NONE: Leftovers = { folders: [], bytes: 0 };

type Job = {
  readonly host: Host;
  readonly repository: Repository;
  readonly dryRun: boolean;
  readonly force: boolean;
};
type Removal = { readonly removed: CleanedRun | null; readonly stays: readonly StayingRun[] };
type Chosen = {
  readonly repository: Repository;
  readonly runs: readonly KnownRun[];
  /** Runs whose folder is gone: only refs are left of them. */
  readonly strays: readonly RunId[];
  /** As old, and not over: they go only by their name. */
  readonly unfinished: readonly StayingRun[];
};

async function chooseRuns(host: Host, { run, days }: CleanRequest): Promise<OrRefusal<Chosen>> {
  if (run !== null) {
    const found = await findRun(host, run);
    return found.ok
      ? { ok: true, repository: found.repository, runs: [found.known], strays: [], unfinished: [] }
      : found;
  }
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const before = clockOf(host).now() - days * DAY_MS;
  const { runs: all, damaged } = await listRuns(repository);
  const old = all.filter(({ state: { ended, clock } }) => (ended?.at ?? clock) < before);
  const isOver = ({ state: { ended }, driver }: KnownRun) => ended !== null && driver === null;
  const unfinished = [
    ...old.filter((one) => !isOver(one)).map(unfinishedRun),
    ...damaged.map(({ run, problem, hint }) => ({ run, why: problem, hints: [hint] })),
  ];
  const known = new Set(await allRunNames(repository)); // what cannot be read, or is another folder's, may still be wanted
  const strays = straysOf(await listSaved(repository), known, before);
  return { ok: true, repository, runs: old.filter(isOver), strays, unfinished };
}

function unfinishedRun({ run, driver, state }: KnownRun): StayingRun {
  if (driver !== null) return { run, ...describeRunning(run, driver) };
  const resume = fix("resume it", forRun(state, plait("resume", run)));
  return {
    run,
    why: "it was interrupted",
    hints: listHints(resume, fix("or remove it", plait("clean", run))),
  };
}

function describeRunning(run: RunId, { pid, host }: Holder): Reason {
  return {
    why: `it is running: process ${pid} on ${host}`,
    hints: listHints(fix("stop it", plait("stop", run))),
  };
}

const listHints = (...hints: readonly Sentence[]): string[] => hints.map((one) => plainText(one));

function straysOf(saved: readonly SavedWork[], known: ReadonlySet<string>, before: EpochMs): RunId[] {
  const unknown = saved.filter(({ run }) => !known.has(run));
  const young = new Set(unknown.filter(({ at }) => at >= before).map(({ run }) => run));
  return [...new Set(unknown.map(({ run }) => run))].filter((run) => !young.has(run));
}

/** Worktrees, refs and folder of one run, unless something of it may be all that there is. */
export async function cleanRun(job: Job, known: KnownRun): Promise<Removal> {
  const { run, folder } = known;
  const blocked =
    (await whyStays(known)) ??
    (await whyBranchStays(job, run)) ??
    (job.force ? null : await describeUnlanded(job.repository, known));
  if (blocked !== null) return { removed: null, stays: [{ run, ...blocked }] };
  const refs = await refsOf(job.repository, run);
  const unlanded = hasUnlanded(known.state) ? known.state.indices.phases.merged : 0;
  const what: CleanedRun = { ...(await onDisk(job, known)), refs, unlanded };
  if (job.dryRun) return wouldRemove(what);
  const locked = await acquireLock(folder.lock, { command: job.host.command });
  if (!locked.ok) {
    const { message, hint } = locked.refusal;
    return { removed: null, stays: [{ run, why: message, hints: [hint] }] };
  }
  try {
    await removeWorktrees(job, known);
    const left = await removeRefs(job.repository, run, what.refs);
    await cleanModuleRefs(job.repository, run, mergedAttempts(known.state));
    await removeRunFolder(job.repository, known);
    return removal(what, left);
  } finally {
    await locked.lock.release();
  }
}

function mergedAttempts({ tasks }: RunState): ReadonlySet<AttemptId> {
  const past = [...values(tasks)].flatMap((task) => task.past);
  return new Set(past.filter(({ isMerged }) => isMerged).map(({ id }) => id));
}

/** Its run is not known any more, so nobody drives it. */
async function cleanStray(job: Job, run: RunId): Promise<Removal> {
  const blocked = await whyBranchStays(job, run);
  if (blocked !== null) return { removed: null, stays: [{ run, ...blocked }] };
  const refs = await refsOf(job.repository, run);
  const what: CleanedRun = { run, folder: null, worktrees: null, bytes: 0, unlanded: 0, refs };
  if (job.dryRun) return wouldRemove(what);
  return removal(what, await removeRefs(job.repository, run, refs));
}

async function onDisk(
  { host, repository }: Job,
  { run, folder }: KnownRun,
): Promise<Omit<CleanedRun, "refs" | "unlanded">> {
  const worktrees = join(stateFolder(host), "worktrees", repositoryFolder(repository.commonDir), run);
  const has = await isThere(worktrees);
  const bytes = (await folderBytes(folder.path)) + (has ? await folderBytes(worktrees) : 0);
  return { run, folder: folder.path, worktrees: has ? worktrees : null, bytes };
}

function removal(what: CleanedRun, left: readonly RefName[]): Removal {
  const refs = what.refs.filter((ref) => !left.includes(ref));
  return { removed: { ...what, refs }, stays: left.map((ref) => branchStays(what.run, ref)) };
}

/** As `cleanRefs` does it: the branch of an attempt goes with its saved work, and never without it. */
function wouldRemove(what: CleanedRun): Removal {
  const { run, refs } = what;
  const tasks = `refs/heads/plait/${run}/tasks/`;
  const all = new Set<string>(refs);
  const left = refs.filter(
    (ref) => ref.startsWith(tasks) && !all.has(`refs/plait/${run}/${ref.slice(tasks.length)}`),
  );
  return removal(what, left);
}

type Reason = Pick<StayingRun, "why" | "hints">;

async function whyStays({ run, driver, state }: KnownRun): Promise<Reason | null> {
  if (driver !== null) return describeRunning(run, driver);
  for (const { task, worktree } of openTasks(state)) {
    if (worktree !== null && (await isThere(worktree))) {
      const [submit, drop] = [forRun(state, plait("submit", task, { run })), plait("drop", task, { run })];
      const hints = listHints(fix("submit it", submit), fix("or drop it", drop));
      return { why: `you have ${task} open at ${worktree}`, hints };
    }
  }
  for (const { task, path, at } of stayingTrees(state)) {
    const changed = await changedSince(path, at + SAVING_MS);
    if (changed !== null) {
      const hints = describeRemoval("copy what you need", run, path);
      return { why: `the worktree of ${task} changed after its work was saved: ${changed}`, hints };
    }
  }
  for (const path of keptWorktrees(state)) {
    if (await isThere(path)) {
      const hints = describeRemoval("check the files", run, path);
      return { why: `its worktree ${path} has unsaved files`, hints };
    }
  }
  // What was done in the user's own folder is there.
  if (state.workFolder !== null) return null;
  for (const { attempt, path } of unsavedWork(state)) {
    if (await isThere(path)) {
      const hints = listHints(fix("save it", forRun(state, plait("resume", run))));
      const { task, n } = splitAttemptId(attempt);
      return { why: `the work of ${task} #${n} is not saved yet: ${path}`, hints };
    }
  }
  return null;
}

function describeRemoval(first: string, run: RunId, path: string): string[] {
  const remove = otherCommand("git", "worktree remove", ["-f", "-f", path]);
  return listHints(
    fix(`${first}, then remove the worktree`, remove),
    fix("then remove the run", plait("clean", run)),
  );
}

/** plait itself still writes there for a moment after the work is saved. */
const SAVING_MS = 5_000;
const MOST_LOOKS = 200_000;

/** A file in a folder that changed after this time; null where there is none. */
async function changedSince(root: string, at: EpochMs): Promise<string | null> {
  const folders = [root];
  for (let looks = 0, folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      looks += 1;
      if (looks > MOST_LOOKS) return null;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
      const found = entry.isFile() && entry.name !== ".git" ? await lstat(path).catch(() => null) : null;
      if (found !== null && found.mtimeMs > at) return relative(root, path);
    }
  }
  return null;
}

function keptWorktrees(state: RunState): string[] {
  return [...values(state.tasks)].flatMap(({ past }) => past.flatMap(({ saved }) => saved.kept ?? []));
}

function unsavedWork(state: RunState): { attempt: AttemptId; path: string }[] {
  return [...values(state.tasks)].flatMap(({ live }) =>
    live.flatMap(({ id, stage, worktree }) =>
      stage.kind === "gate" ? [] : [{ attempt: id, path: worktree }],
    ),
  );
}

/** Deleting a checked-out branch would break that HEAD (I3). */
async function whyBranchStays({ repository }: Job, run: RunId): Promise<Reason | null> {
  for (const ref of (await readRefs(repository, `refs/heads/plait/${run}`)).keys()) {
    const [use] = await findUses(repository, ref as RefName);
    if (use === undefined) continue;
    const path = use.kind === "checked-out" ? use.worktree.path : use.path;
    return {
      why: `its branch ${shortName(ref)} is in use in ${path}`,
      hints: listHints(
        fix("switch to another branch there", otherCommand("git", "-C", [path, "switch", "-"])),
      ),
    };
  }
  return null;
}

async function refsOf(repository: Repository, run: RunId): Promise<RefName[]> {
  const saved = await readRefs(repository, `refs/plait/${run}`);
  const branches = await readRefs(repository, `refs/heads/plait/${run}`);
  return [...saved.keys(), ...branches.keys()].sort() as RefName[];
}

/** Answers with what stays: branches of attempts whose work was never saved. */
async function removeRefs(repository: Repository, run: RunId, refs: readonly RefName[]): Promise<RefName[]> {
  if (refs.length === 0) return [];
  const saved = await listSaved(repository, run);
  return cleanRefs(repository, { run, landed: true, merged: saved.map(({ attempt }) => attempt) });
}

function branchStays(run: RunId, ref: RefName): StayingRun {
  const name = shortName(ref);
  return {
    run,
    why: `${name} may have commits that are saved nowhere else`,
    hints: listHints(fix("check the branch, then delete it", otherCommand("git", "branch", ["-D", name]))),
  };
}

/** A run that ended has put its worktrees away itself, except what a person had, and what was to stay. */
async function removeWorktrees(
  { host, repository }: Job,
  { run, state, facts, folder }: KnownRun,
): Promise<void> {
  if (state.ended !== null && openTasks(state).length === 0 && stayingTrees(state).length === 0) return;
  const shadow = await openShadow(repository, folder.path);
  const root = join(stateFolder(host), "worktrees");
  const pool = await openPool({ shadow, run, runDir: folder.path, root, isolation: readIsolation(facts) });
  for (const lease of pool.leases()) await pool.release(lease);
  await pool.giveUpKept(); // what is saved nowhere is looked for before
  await pool.close();
}

async function removeRunFolder(repository: Repository, { run, folder }: KnownRun): Promise<void> {
  const socket = await readControlFile(folder.path);
  if (socket !== null) await clearSocket(socket);
  // No run is called like this: a name begins with a letter or a digit.
  const away = join(runsFolder(repository), `.${run}.removed`);
  await rm(away, { recursive: true, force: true });
  await rename(folder.path, away);
  await rm(away, { recursive: true, force: true });
}

/** What a clean that was cut off had taken away. */
async function sweep(repository: Repository): Promise<void> {
  const folder = runsFolder(repository);
  const names = await readdir(folder).catch(ifMissing([]));
  for (const name of names.filter((one) => /^\..*\.removed$/.test(one))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
