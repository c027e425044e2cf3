// What an attempt of a task left: which attempt is meant, and what it changed.

import type { Revision } from "../core/facts.ts";
import { type AttemptId, attemptId, type Oid, splitAttemptId, type TaskId } from "../core/ids.ts";
import type { TaskState } from "../core/run-state.ts";
import { get } from "../core/sorted-map.ts";
import { type CutText, diffText, isGitFailure, type Repository, readRef } from "../git/index.ts";
import { type OrRefusal, refuse } from "./host.ts";
import { maskDiff } from "./mask-diff.ts";
import type { Mask } from "./run-mask.ts";
import type { FoundRun, KnownRun } from "./runs.ts";

/** The attempt of that number, or the last one. */
export function findAttempt(
  known: KnownRun,
  task: TaskId,
  n: number | null,
): OrRefusal<{ attempt: AttemptId }> {
  const { started } = stateOf(known, task);
  if (started === 0) {
    return refuse(
      "request",
      `${task} has no attempt yet`,
      `see what it waits for: plait status ${known.run}`,
    );
  }
  if (n !== null && n > started) {
    const has = started === 1 ? "only attempt 1" : `only attempts 1 to ${started}`;
    return refuse("request", `${task} has no attempt ${n}`, `it has ${has}`);
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
  /** For all but a patch that the user asked for by name, which has to apply (I13). */
  readonly mask?: Mask;
};

/** What an attempt changed against its base. It is saved when the attempt ends. */
export async function taskDiff(
  { repository, known }: FoundRun,
  attempt: AttemptId,
  options: TaskDiffOptions,
): Promise<OrRefusal<TaskDiff>> {
  const { workFolder } = known.state;
  if (workFolder !== null) {
    const message = `what ${attempt} changed is not known: it worked in ${workFolder}, which is in no repository`;
    return refuse("request", message, `what it said: plait logs ${splitAttemptId(attempt).task}`);
  }
  const saved = savedWork(known, attempt);
  if (saved === null) return { ok: true, kind: "at-work" };
  const diff =
    (await diffOrNull(repository, { from: saved.base.commit, to: saved.result.commit }, options)) ??
    (await mergedDiff(repository, known, { attempt, options }));
  if (diff !== null) return { ok: true, kind: "diff", diff };
  const { task, n } = splitAttemptId(attempt);
  return refuse(
    "environment",
    `what attempt ${n} of ${task} changed is no longer in the repository`,
    "saved work is kept until plait clean, and then by git for two weeks",
  );
}

/** What an attempt left, and what it began with; null while nothing is saved. */
export function savedWork(known: KnownRun, attempt: AttemptId): SavedWork | null {
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
export function shownDiff(
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
  if (found === undefined) throw new Error(`${task} is no task of ${state.run}`);
  return found;
}
