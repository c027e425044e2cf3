import { attemptEnv } from "../../agents/attempt-env.ts";
import { splitAttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { Lease } from "../../git/index.ts";
import { tearDown } from "./prepare.ts";
import { programEnv } from "./program-env.ts";
import { type Site, taskOf } from "./site.ts";

/** On their way back: two saves that end together see the same worktrees. */
const leaving = new WeakSet<Lease>();

/** A worktree whose work is saved is cleared up after, and goes back to the pool. */
export async function giveBack(site: Site, state: RunState, lease: Lease): Promise<void> {
  if (leaving.has(lease)) return;
  leaving.add(lease);
  try {
    await clearUp(site, state, lease);
  } finally {
    await site.pool.release(lease);
  }
}

async function clearUp(site: Site, state: RunState, { attempt, slot }: Lease): Promise<void> {
  if (attempt === null) return; // gates clear up themselves
  const { task: id, n } = splitAttemptId(attempt);
  if (!state.index.indexOf.has(id)) return;
  const { task } = taskOf(state, id);
  const env = { ...programEnv(site, task.env), ...attemptEnv({ task: id, attempt: n }) };
  await tearDown(site, { prepare: task.prepare, folder: slot.path, env, marker: `${site.run}.teardown` });
}
