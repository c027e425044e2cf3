// The worktree of an attempt. A fresh one is cut at the base. A fix round goes on where its predecessor stopped: with the
// files as they are, or, where the merged work of others has to be fitted in, with both merged and the conflicts marked.

import { attemptEnv } from "../../../agents/attempt-env.ts";
import { splitAttemptId } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import { type Lease, mergedFiles } from "../../../git/index.ts";
import { prepareTree } from "../prepare.ts";
import { programEnv } from "../program-env.ts";
import { pastAttempt, type Site, taskOf } from "../site.ts";
import type { Conduct } from "./conduct.ts";

export async function openWorktree(site: Site, conducted: Conduct): Promise<Lease> {
  const { want, hands, marker, control } = conducted;
  const { task } = taskOf(hands.state(), want.task);
  const { lease, isFresh } = await leaseFor(site, conducted);
  if (!isFresh || !hasPreparation(task)) return lease;
  const { n } = splitAttemptId(want.attempt);
  const env = { ...programEnv(site, task.env), ...attemptEnv({ task: want.task, attempt: n }) };
  const folder = lease.slot.path;
  const prepared = await prepareTree(site, {
    prepare: task.prepare,
    folder,
    env,
    marker,
    signal: control.signal,
  });
  if (!prepared.ok && control.asked() === null) throw new Error(prepared.detail);
  return lease;
}

type Opened = { readonly lease: Lease; readonly isFresh: boolean };

async function leaseFor({ pool, shadow, folder }: Site, { want, hands }: Conduct): Promise<Opened> {
  const { attempt, base, fix } = want;
  const before = fix === null ? null : pastAttempt(hands.state(), fix.attempt);
  if (before === null) return { lease: await pool.acquire(attempt, base), isFresh: true };
  const held = pool.leaseOf(before.id);
  const isMoved = before.base.commit !== base.commit;
  if (held !== null && !isMoved) return { lease: await pool.continueLease(held, attempt), isFresh: false };
  // The base is another one now, or another driver had the worktree: its files come from what was saved.
  if (held !== null) await pool.release(held);
  const { result } = before.saved;
  const files = isMoved
    ? await mergedFiles(shadow, folder.path, { ours: base.commit, theirs: result.commit })
    : result.tree;
  return { lease: await pool.acquire(attempt, base, files), isFresh: true };
}

function hasPreparation({ prepare }: Task): boolean {
  return prepare.copy.length + prepare.setup.length > 0;
}
