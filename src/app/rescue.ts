// Saved work of all runs: what there is, why it is not merged, and a branch of it for whoever wants it back.

import type { EpochMs } from "../core/facts.ts";
import {
  type AttemptId,
  type Oid,
  type RefName,
  type RunId,
  refName,
  splitAttemptId,
  type TaskId,
} from "../core/ids.ts";
import type { PastAttempt, RunState, TaskPhase } from "../core/run-state.ts";
import { failureText } from "../core/select/failure-text.ts";
import { openTasks } from "../core/select/open-tasks.ts";
import { get } from "../core/sorted-map.ts";
import { nearest } from "../core/suggest.ts";
import {
  diffText,
  isGitFailure,
  listSaved,
  type Repository,
  readRef,
  restoreSaved,
  type SavedWork,
  shortName,
} from "../git/index.ts";
import { findRepository, type Host, type OrRefusal, refuse } from "./host.ts";
import { listRuns } from "./runs.ts";

/** The work of one attempt that is saved on a ref. */
export type RescueItem = {
  readonly run: RunId;
  readonly task: TaskId;
  readonly attempt: number;
  readonly ref: RefName;
  readonly commit: Oid;
  readonly at: EpochMs;
  /** How many files it changed; null where that is not known: its run is gone. */
  readonly files: number | null;
  /** It is on the integration branch of its run, which has not landed. */
  readonly isMerged: boolean;
  /** Its task failed for good: this may be all that there is of it. */
  readonly isFailed: boolean;
  /** Why it is not merged, or that it is merged and has not landed. */
  readonly why: string;
};

/**
 * The runs with the latest work first; of a run, what is in no other place first. Attempts that changed no file are left out.
 */
export async function listRescue(host: Host): Promise<OrRefusal<{ items: readonly RescueItem[] }>> {
  const found = await findRepository(host);
  if (!found.ok) return found;
  const { repository } = found;
  const states = new Map((await listRuns(repository)).runs.map(({ run, state }) => [run, state]));
  const items: RescueItem[] = [];
  for (const saved of await listSaved(repository)) {
    const state = states.get(saved.run) ?? null;
    const item = await itemOf(repository, saved, state);
    if (item.files !== 0) items.push(item);
  }
  return { ok: true, items: inOrder(items) };
}

function inOrder(items: readonly RescueItem[]): RescueItem[] {
  const latest = new Map<RunId, EpochMs>();
  for (const { run, at } of items) latest.set(run, Math.max(at, latest.get(run) ?? 0));
  return [...items].sort(
    (a, b) =>
      (latest.get(b.run) ?? 0) - (latest.get(a.run) ?? 0) ||
      compare(a.run, b.run) ||
      Number(a.isMerged) - Number(b.isMerged) ||
      compare(a.task, b.task) ||
      a.attempt - b.attempt,
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function itemOf(repository: Repository, saved: SavedWork, state: RunState | null): Promise<RescueItem> {
  const { run, attempt, ref, result, at } = saved;
  const { task, n } = splitAttemptId(attempt);
  const past = pastOf(state, attempt);
  const isUnchanged = past?.saved.changed === false;
  return {
    ...{ run, task, attempt: n, ref, commit: result, at },
    files: past === null ? null : isUnchanged ? 0 : await filesOf(repository, past.base.commit, result),
    isMerged: isMerged(state, attempt),
    isFailed: phaseOf(state, attempt)?.kind === "failed",
    why: whyNotMerged(state, attempt, past),
  };
}

function pastOf(state: RunState | null, attempt: AttemptId): PastAttempt | null {
  const i = state?.index.indexOf.get(splitAttemptId(attempt).task);
  const task = state === null || i === undefined ? undefined : get(state.tasks, i);
  return task?.past.find(({ id }) => id === attempt) ?? null;
}

function phaseOf(state: RunState | null, attempt: AttemptId): TaskPhase | undefined {
  const i = state?.index.indexOf.get(splitAttemptId(attempt).task);
  return state === null || i === undefined ? undefined : get(state.tasks, i)?.phase;
}

function isMerged(state: RunState | null, attempt: AttemptId): boolean {
  return pastOf(state, attempt)?.isMerged ?? false;
}

function isPassed(state: RunState | null, attempt: AttemptId): boolean {
  const phase = phaseOf(state, attempt);
  return phase?.kind === "passed" && phase.attempt === attempt;
}

function whyNotMerged(state: RunState | null, attempt: AttemptId, past: PastAttempt | null): string {
  if (state === null) return "its run is not known any more";
  const i = state.index.indexOf.get(splitAttemptId(attempt).task);
  if (i === undefined) return "its task is gone from the plan";
  if (isMerged(state, attempt)) return "merged, not landed";
  if (isPassed(state, attempt)) return "changed by a task that only looks";
  if (past === null) return "its gates are not done";
  const { limits } = state.index.plan.tasks[i] ?? { limits: null };
  if (past.failure !== null) return openClause(state, attempt) + failureText(past.failure, limits);
  return phaseOf(state, attempt)?.kind === "queued"
    ? "waits to be merged"
    : "its run ended before it was merged";
}

/** A person goes on with it: what is there now is more than what was saved. */
function openClause(state: RunState, attempt: AttemptId): string {
  return openTasks(state).some(({ after }) => after?.attempt === attempt) ? "you have it open; " : "";
}

/** Enough for the last line of the table, which counts. */
const STAT_BYTES = 16 * 1024 * 1024;

async function filesOf(repository: Repository, from: Oid, to: Oid): Promise<number | null> {
  try {
    const { text } = await diffText(repository, { from, to }, { maxBytes: STAT_BYTES, stat: true });
    return Number(/(\d+) files? changed/.exec(text.trimEnd().split("\n").at(-1) ?? "")?.[1] ?? 0);
  } catch (error) {
    if (isGitFailure(error, "not-found", "corrupt")) return null; // its base was pruned
    throw error;
  }
}

export type RescuedBranch = {
  readonly ref: RefName;
  /** As people type it. */
  readonly branch: string;
  readonly commit: Oid;
};

/** Makes a branch of saved work. Nothing is checked out, and no branch is moved. */
export async function restoreWork(host: Host, name: string): Promise<OrRefusal<RescuedBranch>> {
  const found = await findRepository(host);
  if (!found.ok) return found;
  const { repository } = found;
  const all = await listSaved(repository);
  const wanted = all.find(({ ref }) => ref === name || ref === `refs/plait/${name}`);
  if (wanted === undefined) return unknownWork(name, all);
  const { task, n } = splitAttemptId(wanted.attempt);
  const branch = `rescue/${wanted.run}/${task}-${n}`;
  const inTheWay = await branchInTheWay(repository, branch);
  if (inTheWay !== null) {
    const free = `rename it: git branch -m ${inTheWay} ${inTheWay}-old`;
    return refuse("request", `the branch ${inTheWay} leaves no room for ${branch}`, free);
  }
  const restored = await restoreSaved(repository, wanted.ref, branch);
  if (restored.kind === "unknown") return unknownWork(name, []);
  if (restored.kind === "taken") {
    return refuse(
      "request",
      `the branch ${branch} is there already, at ${restored.at.slice(0, 7)}`,
      `rename it: git branch -m ${branch} ${branch}-old`,
    );
  }
  return { ok: true, ref: wanted.ref, branch: shortName(restored.branch), commit: restored.at };
}

function unknownWork(name: string, all: readonly SavedWork[]): ReturnType<typeof refuse> {
  const short = all.map(({ ref }) => ref.replace("refs/plait/", ""));
  const meant = nearest(name.replace("refs/plait/", ""), short);
  const hint = meant === null ? "list it: plait rescue" : `did you mean ${meant}?`;
  return refuse("request", `no work is saved as ${JSON.stringify(name)}`, hint);
}

/** git keeps branches as paths: one called `rescue` leaves no room for any below it. */
async function branchInTheWay(repository: Repository, branch: string): Promise<string | null> {
  const parts = branch.split("/");
  for (let n = 1; n < parts.length; n += 1) {
    const above = parts.slice(0, n).join("/");
    if ((await readRef(repository, refName(`refs/heads/${above}`))) !== null) return above;
  }
  return null;
}
