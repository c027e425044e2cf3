// What the journal of a run tells of a task's work.

import type { Oid } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import type { RunState, TaskState } from "../../core/run-state.ts";
import { findStatusIn } from "../../core/select/task-status.ts";
import { formatTaskStatus } from "../../core/select/task-status-text.ts";
import { get } from "../../core/sorted-map.ts";
import { plainText } from "../../core/text/sentence.ts";
import type { LoggedCommit, Objects } from "../../git/index.ts";
import { type KnownRun, seeRun } from "../runs.ts";
import {
  commitsOf,
  type FoundWork,
  NO_WORK,
  type OwnChange,
  ownChangeOf,
  type WorkQuestion,
} from "./own-work.ts";

/** Null if the run does not have the task. */
export async function runWork(question: WorkQuestion, task: Task): Promise<FoundWork> {
  const { known, byHistory } = question;
  const of = known === null ? null : stateOf(known.state, task);
  if (known === null || of === null) return null;
  const merged = await mergedWork(question, known, task);
  if (merged !== null) return merged; // even if it was reopened since
  if (byHistory) return (await attemptInHistory(question, known.state, of)) ?? notYet(task);
  const nothing = { from: "run", ...NO_WORK } as const;
  if (of.phase.kind === "passed") return { ...nothing, status: "changes-nothing", missing: null };
  if (of.phase.kind === "merged") {
    const missing = `merged by ${known.run}, but not part of the checked tree`;
    return { ...nothing, status: "not-merged", missing };
  }
  const { selected } = known.state;
  if (selected !== null && !selected.has(task.id))
    return { ...nothing, status: "not-merged", missing: `not selected in ${known.run}` };
  return { ...nothing, status: "not-merged", missing: `${formatStatus(known, task)} (${known.run})` };
}

function stateOf(state: RunState, { id }: Task): TaskState | null {
  const i = state.index.indexOf.get(id);
  return i === undefined ? null : (get(state.tasks, i) ?? null);
}

function notYet({ access }: Task): FoundWork {
  const nothing = { from: null, ...NO_WORK } as const;
  if (access === "read-only") return { ...nothing, status: "changes-nothing", missing: null };
  return { ...nothing, status: "not-merged", missing: "not in this tree yet" };
}

/** All merges of the task; null if none is part of the checked tree. */
async function mergedWork(question: WorkQuestion, known: KnownRun, task: Task): Promise<FoundWork> {
  const { objects } = question;
  const commits: LoggedCommit[] = [];
  const changes: OwnChange[] = [];
  let untold: string | null = null;
  for (const { commit: name, attempt } of mergesOf(known, task)) {
    if (!(await isPartOf(question, known.state, name))) continue;
    const merge = await objects.commit(name);
    const change = merge === null ? null : await ownChangeOf(objects, merge);
    const saved = change ?? (await savedChange(objects, known.state, { task, attempt }));
    if (merge !== null) commits.push(...(await commitsOf(objects, merge)));
    if (saved === null) untold = `the commits of ${known.run} are no longer in this repository`;
    else changes.push(saved);
  }
  if (changes.length === 0 && untold === null) return null;
  return { ...NO_WORK, status: "merged", from: "run", commits, changes, untold, missing: null };
}

function mergesOf({ facts }: KnownRun, { id }: Task) {
  return facts.flatMap((fact) =>
    fact.type === "integration.advanced" ? fact.tasks.filter(({ task }) => task === id) : [],
  );
}

/** By its own commits, or by a landing that rewrote them. */
async function isPartOf({ objects, isIn }: WorkQuestion, state: RunState, merge: Oid): Promise<boolean> {
  if (await isIn(merge)) return true;
  const { landing, landings } = state;
  const made = [
    ...landings.map((one) => ({ tip: one.tip, to: one.landing.to.commit })),
    ...(landing.kind === "landed" ? [{ tip: landing.tip, to: landing.to.commit }] : []),
  ];
  for (const { tip, to } of made) {
    const isPart = merge === tip || (await objects.isAncestor(merge, tip));
    if (isPart && (await isIn(to))) return true;
  }
  return false;
}

type Attempted = { readonly task: Task; readonly attempt: string };

async function savedChange(
  objects: Objects,
  state: RunState,
  { task, attempt }: Attempted,
): Promise<OwnChange | null> {
  const past = stateOf(state, task)?.past.find(({ id }) => id === attempt);
  if (past === undefined) return null;
  const change = { from: past.base.commit, to: past.saved.result.commit };
  return (await objects.changes(change.from, change.to)) === null ? null : change;
}

/** Saved work that is not merged yet: the attempt whose gates are running. */
async function attemptInHistory(
  { objects, isIn }: WorkQuestion,
  { tip }: RunState,
  { past, live }: TaskState,
): Promise<FoundWork> {
  const saved = [
    ...live.flatMap(({ base, stage }) => (stage.kind === "gate" ? [{ base, saved: stage.saved }] : [])),
    ...past.toReversed(),
  ];
  for (const { base, saved: work } of saved) {
    const { result, changed } = work;
    if (!changed || !(await isIn(result.commit))) continue;
    // It may contain work of others that was merged meanwhile.
    const since = (await objects.mergeBase(tip.commit, result.commit)) ?? base.commit;
    const from = since === result.commit ? base.commit : since;
    const own = (await objects.log({ to: result.commit, not: [from] })) ?? [];
    const changes = [{ from, to: result.commit }];
    return { ...NO_WORK, status: "merged", from: "run", commits: own.toReversed(), changes, missing: null };
  }
  return null;
}

function formatStatus(known: KnownRun, { id }: Task): string {
  const status = findStatusIn(seeRun(known), id);
  return status === null ? "not done" : plainText(formatTaskStatus(status));
}
