// What an attempt of a task left: which attempt is meant, and what it changed.

import type { Revision } from "../core/facts.ts";
import { type AttemptId, attemptId, type Oid, splitAttemptId, type TaskId } from "../core/ids.ts";
import type { TaskState } from "../core/run-state.ts";
import { get } from "../core/sorted-map.ts";
import { plait } from "../core/text/command.ts";
import { quoted } from "../core/text/figures.ts";
import { formatRefusal } from "../core/text/refusal.ts";
import { fix } from "../core/text/sentence.ts";
import { type CutText, diffStats, diffText, isGitFailure, type Repository, readRef } from "../git/index.ts";
import type { DiffAgainst, DiffDocument } from "../report/page/wire.ts";
import { type OrRefusal, refuse } from "./host.ts";
import { type Mask, maskDiff } from "./run-mask.ts";
import { type FoundRun, type KnownRun, LIST_RUNS } from "./runs.ts";

export function findAttempt(
  known: KnownRun,
  task: TaskId,
  n: number | null,
  verb: "logs" | "diff" = "logs",
): OrRefusal<{ attempt: AttemptId }> {
  const { started } = stateOf(known, task);
  if (started === 0) {
    const hint = fix("see what it is waiting for", plait("status", known.run));
    return refuse("request", `${quoted(task)} has no attempts yet`, hint);
  }
  if (n !== null && n > started) {
    const has = `it has ${started === 1 ? "only attempt #1" : `attempts #1 to #${started}`}`;
    const last = plait(verb, task, { attempt: started, run: known.run });
    return refuse("request", `${quoted(task)} has no attempt #${n}: ${has}`, fix("see the last one", last));
  }
  return { ok: true, attempt: attemptId(task, n ?? started) };
}

export type TaskDiff =
  | { readonly kind: "diff"; readonly diff: CutText }
  /** Nothing is saved yet. */
  | { readonly kind: "at-work" };

export type TaskDiffOptions = {
  readonly maxBytes: number;
  readonly stat: boolean;
  readonly nameOnly?: boolean;
  /** For all but a patch that the user asked for by name, which has to apply (I13). */
  readonly mask?: Mask;
};

/** What an attempt changed against its base. It is saved when the attempt ends. */
export async function taskDiff(
  { repository, known }: FoundRun,
  attempt: AttemptId,
  options: TaskDiffOptions,
): Promise<OrRefusal<TaskDiff>> {
  const { workFolder, run } = known.state;
  const { task, n } = splitAttemptId(attempt);
  if (workFolder !== null) {
    const message = `no diff for ${quoted(task)}: ${workFolder} is not in a repository`;
    return refuse("request", message, fix("read its log", plait("logs", task, { run })));
  }
  const saved = savedWork(known, attempt);
  if (saved === null) return { ok: true, kind: "at-work" };
  const diff =
    (await diffOrNull(repository, { from: saved.base.commit, to: saved.result.commit }, options)) ??
    (await mergedDiff(repository, known, { attempt, options }));
  if (diff !== null) return { ok: true, kind: "diff", diff };
  const hint = fix("list saved work", plait("rescue"));
  return refuse(
    "environment",
    `the work of attempt #${n} of ${quoted(task)} is no longer in the repository`,
    hint,
  );
}

/** All that is merged in a run, against the commit that it started from. */
export async function runDiff(
  { repository, known }: FoundRun,
  options: TaskDiffOptions,
): Promise<OrRefusal<{ diff: CutText }>> {
  const { run, state } = known;
  if (state.tip.commit === state.base.commit)
    return refuse("request", `${run} has no merged tasks`, fix("see its tasks", plait("status", run)));
  const diff = await diffOrNull(repository, { from: state.base.commit, to: state.tip.commit }, options);
  if (diff !== null) return { ok: true, diff };
  return refuse("environment", `the commits of ${run} are no longer in the repository`, LIST_RUNS);
}

/** What an attempt left, and what it began with; null while nothing is saved. */
function savedWork(known: KnownRun, attempt: AttemptId): SavedWork | null {
  return savedOf(stateOf(known, splitAttemptId(attempt).task), attempt);
}

export type SavedWork = { readonly base: Revision; readonly result: Revision };

function savedOf({ past, live }: TaskState, attempt: AttemptId): SavedWork | null {
  const over = past.find(({ id }) => id === attempt);
  if (over !== undefined) return { base: over.base, result: over.saved.result };
  const gated = live.find(({ id }) => id === attempt);
  return gated?.stage.kind === "gate" ? { base: gated.base, result: gated.stage.saved.result } : null;
}

/** The commit that brought the work in outlives the saved ref. */
async function mergedDiff(
  repository: Repository,
  known: KnownRun,
  { attempt, options }: { readonly attempt: AttemptId; readonly options: TaskDiffOptions },
): Promise<CutText | null> {
  const { phase } = stateOf(known, splitAttemptId(attempt).task);
  if (phase.kind !== "merged" || phase.attempt !== attempt) return null;
  const from = await readRef(repository, `${phase.commit}^1`);
  return from === null ? null : diffOrNull(repository, { from, to: phase.commit }, options);
}

/** Between any two trees; what may not be shown is gone before anything is cut (I13). */
function shownDiff(
  repository: Repository,
  range: { readonly from: Oid; readonly to: Oid },
  { mask, ...options }: TaskDiffOptions,
): Promise<CutText> {
  if (mask === undefined) return diffText(repository, range, options);
  return diffText(repository, range, { ...options, mask: (text) => maskDiff(text, mask) });
}

/** Null when git has pruned one of the two. */
async function diffOrNull(
  repository: Repository,
  range: { readonly from: Oid; readonly to: Oid },
  options: TaskDiffOptions,
): Promise<CutText | null> {
  try {
    return await shownDiff(repository, range, options);
  } catch (error) {
    if (isGitFailure(error, "not-found", "corrupt")) return null;
    throw error;
  }
}

function stateOf({ state }: KnownRun, task: TaskId): TaskState {
  const i = state.index.indexOf.get(task);
  const found = i === undefined ? undefined : get(state.tasks, i);
  if (found === undefined) throw new Error(`${task} is not a task of ${state.run}`);
  return found;
}

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_FILES = 2_000;

export async function attemptDiff(
  found: FoundRun,
  attempt: AttemptId,
  { against, mask }: { readonly against: DiffAgainst; readonly mask: Mask },
): Promise<DiffDocument> {
  const saved = savedWork(found.known, attempt);
  if (against !== "base") {
    const other = savedWork(found.known, against);
    if (saved === null || other === null) return { kind: "at-work" };
    return between(found, { from: other.result, to: saved.result }, mask);
  }
  const made = await taskDiff(found, attempt, { maxBytes: MOST_BYTES, stat: false, mask });
  if (!made.ok) return { kind: "gone", why: formatRefusal(made.refusal) };
  if (made.kind === "at-work" || saved === null) return { kind: "at-work" };
  return { kind: "diff", stat: await readStat(found, saved.base, saved.result), diff: made.diff };
}

async function between(
  found: FoundRun,
  { from, to }: { readonly from: Revision; readonly to: Revision },
  mask: Mask,
): Promise<DiffDocument> {
  try {
    const range = { from: from.tree, to: to.tree };
    const diff = await shownDiff(found.repository, range, { maxBytes: MOST_BYTES, stat: false, mask });
    return { kind: "diff", stat: await readStat(found, from, to), diff };
  } catch (error) {
    if (!isGitFailure(error, "not-found", "corrupt")) throw error;
    const why = "the work of one of these attempts is no longer in the repository";
    return { kind: "gone", why };
  }
}

async function readStat({ repository }: FoundRun, from: Revision, to: Revision) {
  const [stat] = await diffStats(repository, [{ from: from.tree, to: to.tree }], { maxFiles: MOST_FILES });
  return stat?.changes ?? [];
}
