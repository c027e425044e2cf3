// The worktree of an attempt. A fresh one is cut at the base. What goes on with another attempt (a fix round, a person) begins where
// that stopped: with the files as they are, or, where the merged work of others has to be fitted in, with both merged and the
// conflicts marked.

import { attemptEnv } from "../../../agents/attempt-env.ts";
import type { Revision } from "../../../core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { RunState } from "../../../core/run-state.ts";
import { type Lease, mergedFiles } from "../../../git/index.ts";
import { giveBack } from "../give-back.ts";
import type { Prepared } from "../make-ready.ts";
import { rootFor } from "../place.ts";
import { prepareTree } from "../prepare.ts";
import { noteReports, noteReportsAsBefore, placeReports } from "../reports.ts";
import { pastAttempt, type Site, taskOf } from "../site.ts";

export type ToOpen = {
  readonly attempt: AttemptId;
  readonly base: Revision;
  /** The attempt that it goes on with. */
  readonly after: AttemptId | null;
  readonly marker: string;
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
export async function openWorktree(site: Site, state: RunState, asked: ToOpen): Promise<Opened> {
  const { lease, isFresh, conflicts } = await leaseFor(site, state, asked);
  if (isFresh) return { lease, conflicts, prepared: await prepare(site, state, { asked, lease }) };
  if (asked.after !== null) await noteReportsAsBefore(site.folder.path, asked.attempt, asked.after);
  return { lease, conflicts, prepared: { ok: true } };
}

async function prepare(
  site: Site,
  state: RunState,
  { asked, lease }: { asked: ToOpen; lease: Lease },
): Promise<Prepared> {
  const { attempt, marker, signal } = asked;
  const { task: id, n } = splitAttemptId(attempt);
  const { task } = taskOf(state, id);
  const env = { own: task.env, added: attemptEnv({ task: id, attempt: n, access: task.access }) };
  const prepared = await prepareTree(site, { prepare: task.prepare, lease, env, marker, signal });
  if (prepared.ok) await handReports(site, state, { task, asked, to: rootFor(site, lease) });
  return prepared;
}

type ToHand = { readonly task: Task; readonly asked: ToOpen; readonly to: string };

/**
 * Files that its needs report lie where they were written; what the attempt reported that it goes on with is its own. In the
 * user's own folder they are already.
 */
async function handReports(
  { folder: { path }, workFolder }: Site,
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

type Leased = Omit<Opened, "prepared"> & { readonly isFresh: boolean };

async function leaseFor(site: Site, state: RunState, { attempt, base, after }: ToOpen): Promise<Leased> {
  const { pool, shadow, folder } = site;
  const cutOff = pool.heldBy(attempt); // by a driver that could not say whether it was done
  if (cutOff !== null) await giveBack(site, cutOff, null);
  const before = after === null ? null : pastAttempt(state, after);
  if (before === null) {
    return { lease: await pool.acquire(attempt, base), isFresh: true, conflicts: [] };
  }
  const held = pool.heldBy(before.id);
  const isMoved = before.base.commit !== base.commit;
  if (held !== null && !isMoved) {
    return { lease: await pool.continueLease(held, attempt), isFresh: false, conflicts: [] };
  }
  // The base is another one now, or another driver had the worktree: its files come from what was saved.
  if (held !== null) await giveBack(site, held, state);
  const { result } = before.saved;
  const sides = { ours: base.commit, theirs: result.commit };
  const files = isMoved
    ? await mergedFiles(shadow, folder.path, sides)
    : { tree: result.tree, conflicts: [] };
  const lease = await pool.acquire(attempt, base, files.tree);
  return { lease, isFresh: true, conflicts: files.conflicts };
}
