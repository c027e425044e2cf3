// The worktree of an attempt. A fresh one is cut at the base. What goes on with another attempt (a fix round, a person) begins where
// that stopped: with the files as they are, or, where the merged work of others has to be fitted in, with both merged and the
// conflicts marked.

import { attemptEnv } from "../../../agents/attempt-env.ts";
import { findConflict, labelSides, labelTargetSides } from "../../../core/conflict-labels.ts";
import type { Revision } from "../../../core/facts.ts";
import { type AttemptId, splitAttemptId, type TaskId } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import { formatTargetName } from "../../../core/queries.ts";
import type { RunState } from "../../../core/run-state.ts";
import { values } from "../../../core/sorted-map.ts";
import {
  changedPath,
  diffTrees,
  joinTarget,
  type Lease,
  mergedFiles,
  unresolvedPaths,
} from "../../../git/index.ts";
import { formatUnprepared, type Prepared } from "../make-ready.ts";
import { rootFor } from "../place.ts";
import { prepareTree, releaseWorktree } from "../prepare.ts";
import { noteReports, noteReportsAsBefore, placeReports } from "../reports.ts";
import { pastAttempt, type RunContext, taskOf } from "../run-context.ts";

export type ToOpen = {
  readonly attempt: AttemptId;
  readonly base: Revision;
  /** The attempt that it goes on with. */
  readonly after: AttemptId | null;
  readonly marker: string;
  /** Nothing that an agent set up in its own repository is to run for them. */
  readonly forPerson?: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
};

/** Where it works, and which of its files have both sides of a conflict in them. */
export type Opened = {
  readonly lease: Lease;
  readonly conflicts: readonly string[];
  readonly prepared: Prepared;
};

/** Ready to be worked in. Where the preparation was cut off nobody works there. */
export async function openWorktree(site: RunContext, state: RunState, asked: ToOpen): Promise<Opened> {
  const { lease, isFresh, conflicts } = await leaseFor(site, state, asked);
  if (isFresh) return { lease, conflicts, prepared: await prepare(site, state, { asked, lease }) };
  if (asked.after !== null) await noteReportsAsBefore(site.folder.path, asked.attempt, asked.after);
  return { lease, conflicts, prepared: { ok: true } };
}

async function prepare(
  site: RunContext,
  state: RunState,
  { asked, lease }: { asked: ToOpen; lease: Lease },
): Promise<Prepared> {
  const { attempt, marker, signal } = asked;
  const { task: id, n } = splitAttemptId(attempt);
  const { task } = taskOf(state, id);
  const env = { own: task.env, added: attemptEnv({ task: id, attempt: n, access: task.access }) };
  const isContinued = asked.after !== null;
  const order = { prepare: task.prepare, lease, env, marker, isContinued, signal };
  const prepared = await prepareTree(site, order);
  // Its gates will want the same folders, while it works.
  if (prepared.ok && task.gates.length + state.index.plan.gates.length > 0) site.prepared.makeSpares();
  if (prepared.ok) await handReports(site, state, { task, asked, to: rootFor(site, lease) });
  if (prepared.ok || prepared.locks === undefined) return prepared;
  const by = await findAuthors(site, state, prepared.locks);
  return { ...prepared, detail: formatUnprepared(prepared, by) };
}

/** The tasks whose merged work changed one of these files. */
async function findAuthors(
  { shadow }: RunContext,
  state: RunState,
  files: readonly string[],
): Promise<TaskId[]> {
  const authors = new Set<TaskId>();
  for (const { past } of values(state.tasks))
    for (const { id, isMerged, base, saved } of past) {
      const changes = isMerged ? await diffTrees(shadow, base.tree, saved.result.tree) : [];
      if (changes.some((change) => files.includes(changedPath(change).path)))
        authors.add(splitAttemptId(id).task);
    }
  return [...authors];
}

type ToHand = { readonly task: Task; readonly asked: ToOpen; readonly to: string };

/**
 * Files that its needs report lie where they were written; what the attempt reported that it goes on with is its own. In the
 * user's own folder they are already.
 */
async function handReports(
  { folder: { path }, workFolder }: RunContext,
  state: RunState,
  { task, asked: { attempt, after, signal }, to }: ToHand,
): Promise<void> {
  const place = async (from: AttemptId): Promise<void> => {
    if (workFolder === null) await placeReports(path, from, { to, signal });
  };
  for (const id of task.needs) {
    const { phase } = taskOf(state, id).now;
    if (phase.kind === "passed") await place(phase.attempt);
  }
  await noteReports(path, { attempt, from: to, patterns: task.reports });
  if (after !== null) await place(after);
}

/** Of the run and a target that moved: built again, because nothing points to it before an agent works there. */
async function openJoin(
  { shadow, run, folder }: RunContext,
  state: RunState,
  base: Revision,
): Promise<Awaited<ReturnType<typeof mergedFiles>> | null> {
  const { targetFix } = state;
  if (targetFix === null || targetFix.join.result.commit !== base.commit) return null;
  const { tip, join } = targetFix;
  const { onto, at } = join;
  await joinTarget(shadow, { run, runDir: folder.path, tip, onto, at });
  const labels = labelTargetSides(formatTargetName(state), run);
  return mergedFiles(shadow, folder.path, { ours: onto, theirs: tip, labels });
}

type Leased = Omit<Opened, "prepared"> & { readonly isFresh: boolean };

async function leaseFor(
  site: RunContext,
  state: RunState,
  { attempt, base, after, forPerson = false }: ToOpen,
): Promise<Leased> {
  const { pool, shadow, folder } = site;
  const cutOff = pool.heldBy(attempt); // by a driver that could not say whether it was done
  if (cutOff !== null) await releaseWorktree(site, cutOff, null);
  const before = after === null ? null : pastAttempt(state, after);
  if (before === null) {
    return { lease: await pool.acquire(attempt, base), isFresh: true, conflicts: [] };
  }
  const held = pool.heldBy(before.id);
  const isMoved = before.base.commit !== base.commit;
  const { result } = before.saved;
  const { task } = splitAttemptId(attempt);
  const conflict = findConflict(taskOf(state, task).now.past, before.id);
  // Where an attempt before it had a conflict to resolve, some of it may be left.
  const left = conflict === null || isMoved ? [] : await unresolvedPaths(shadow, result.tree);
  if (held !== null && !isMoved) {
    return { lease: await pool.continueLease(held, attempt, { forPerson }), isFresh: false, conflicts: left };
  }
  // The base is another one now, or another driver had the worktree: its files come from what was saved.
  if (held !== null) await releaseWorktree(site, held, state);
  const joined = isMoved ? await openJoin(site, state, base) : null;
  if (joined !== null) {
    const lease = await pool.acquire(attempt, base, joined.tree);
    return { lease, isFresh: true, conflicts: joined.conflicts };
  }
  const labels = labelSides(state.index.plan, { task, others: conflict?.with ?? [] });
  const files = isMoved
    ? await mergedFiles(shadow, folder.path, { ours: base.commit, theirs: result.commit, labels })
    : { tree: result.tree, conflicts: left };
  const lease = await pool.acquire(attempt, base, files.tree);
  return { lease, isFresh: true, conflicts: files.conflicts };
}
