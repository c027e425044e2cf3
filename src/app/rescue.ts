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
import { formatFailure } from "../core/select/failure-text.ts";
import { formatSuggestion } from "../core/select/suggestion.ts";
import { openTasks } from "../core/select/task-lists.ts";
import { get } from "../core/sorted-map.ts";
import { otherCommand, plait } from "../core/text/command.ts";
import { shortOid } from "../core/text/figures.ts";
import { fix, plainText, type Sentence } from "../core/text/sentence.ts";
import {
  diffText,
  isGitFailure,
  listSaved,
  type Repository,
  readRef,
  restoreSaved,
  type SavedWork,
  shortName,
  unresolvedInSaved,
} from "../git/index.ts";
import { findRepository, type Host, type OrRefusal, type Refused, refuse } from "./host.ts";
import { listRuns } from "./runs.ts";

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
  if (state === null) return "its run is unknown";
  const i = state.index.indexOf.get(splitAttemptId(attempt).task);
  if (i === undefined) return "its task is no longer in the plan";
  if (isMerged(state, attempt)) return "merged, not landed";
  if (isPassed(state, attempt)) return "changed by a read-only task";
  if (past === null) return "its gates have not finished";
  const { limits } = state.index.plan.tasks[i] ?? { limits: null };
  if (past.failure !== null)
    return openClause(state, attempt) + plainText(formatFailure(past.failure, limits));
  return phaseOf(state, attempt)?.kind === "queued" ? "queued" : "its run ended before it was merged";
}

/** A person is working on it, so there may be more than what was saved. */
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
  /** Files that still have conflict markers. */
  readonly conflicts: readonly string[];
};

/** Makes a branch of saved work. Nothing is checked out, and no branch is moved. */
export async function restoreWork(host: Host, name: string): Promise<OrRefusal<RescuedBranch>> {
  const found = await findRepository(host);
  if (!found.ok) return found;
  const { repository } = found;
  const all = await listSaved(repository);
  const meant = matchSaved(name, all);
  const [wanted] = meant;
  if (wanted === undefined) return unknownWork(name, all);
  if (meant.length > 1) {
    const names = meant.map(({ ref }) => ref.replace(SAVED, "")).join(", ");
    return refuse("request", `${JSON.stringify(name)} is ambiguous: ${names}`, LIST_SAVED);
  }
  const { task, n } = splitAttemptId(wanted.attempt);
  const branch = `rescue/${wanted.run}/${task}-${n}`;
  const inTheWay = await branchInTheWay(repository, branch);
  if (inTheWay !== null) {
    return refuse("request", `branch ${inTheWay} is in the way of ${branch}`, suggestRename(inTheWay));
  }
  const restored = await restoreSaved(repository, wanted.ref, branch);
  if (restored.kind === "unknown") return unknownWork(name, []);
  if (restored.kind === "taken") {
    const hint = suggestRename(branch);
    return refuse("request", `branch ${branch} already exists at ${shortOid(restored.at)}`, hint);
  }
  const { at: commit } = restored;
  const conflicts = await unresolvedInSaved(repository, commit);
  return { ok: true, ref: wanted.ref, branch: shortName(restored.branch), commit, conflicts };
}

const LIST_SAVED: Sentence = fix("list saved work", plait("rescue"));

const suggestRename = (branch: string): Sentence =>
  fix("rename it", otherCommand("git", "branch", ["-m", branch, `${branch}-old`]));

const SAVED = "refs/plait/";

/** By its whole name, or by beginnings of run and task: `shop-k7/ta/1`. */
function matchSaved(name: string, all: readonly SavedWork[]): readonly SavedWork[] {
  const typed = name.replace(SAVED, "");
  const same = all.filter(({ ref }) => ref === `${SAVED}${typed}`);
  const [run, task, n, ...rest] = typed.split("/");
  if (same.length > 0 || !run || !task || !n || rest.length > 0) return same;
  return all.filter((saved) => {
    const attempt = splitAttemptId(saved.attempt);
    return saved.run.startsWith(run) && attempt.task.startsWith(task) && String(attempt.n) === n;
  });
}

function unknownWork(name: string, all: readonly SavedWork[]): Refused {
  const short = all.map(({ ref }) => ref.replace("refs/plait/", ""));
  const hint = formatSuggestion(name.replace("refs/plait/", ""), short) ?? LIST_SAVED;
  return refuse("request", `no saved work is named ${JSON.stringify(name)}`, hint);
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
