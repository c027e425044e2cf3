import { attemptEnv } from "../../agents/attempt-env.ts";
import { splitAttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { Lease } from "../../git/index.ts";
import { tearDown } from "./prepare.ts";
import { programEnv } from "./program-env.ts";
import { type Site, taskOf } from "./site.ts";

/** On their way back: two saves that end together see the same worktrees. */
const leaving = new WeakSet<Lease>();

const chores = new WeakMap<Lease, () => Promise<void>>();

/** What is to be done in a worktree before it goes back. */
export function onGiveBack(lease: Lease, chore: () => Promise<void>): void {
  chores.set(lease, chore);
}

/** A worktree whose work is saved is cleared up after, and goes back to the pool. */
export async function giveBack(site: Site, state: RunState, lease: Lease): Promise<void> {
  if (leaving.has(lease)) return;
  leaving.add(lease);
  try {
    await clearUp(site, state, lease);
    await chores.get(lease)?.();
  } finally {
    await site.pool.release(lease);
  }
}

async function clearUp(site: Site, state: RunState, { attempt, slot }: Lease): Promise<void> {
  if (attempt === null) return; // a tree to judge brings its chore along
  const { task: id, n } = splitAttemptId(attempt);
  if (!state.index.indexOf.has(id)) return;
  const { task } = taskOf(state, id);
  const env = { ...programEnv(site, task.env), ...attemptEnv({ task: id, attempt: n }) };
  await tearDown(site, { prepare: task.prepare, folder: slot.path, env, marker: `${site.run}.teardown` });
}
