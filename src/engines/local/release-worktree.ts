import { splitAttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { Lease } from "../../git/index.ts";
import { tearDown } from "./prepare.ts";
import { type RunContext, taskOf } from "./run-context.ts";

/** On their way back: two saves that end together see the same worktrees, and both wait until they are there. */
const leaving = new WeakMap<Lease, Promise<void>>();

/**
 * A worktree that nobody goes on with is cleared up after, and goes back to the pool; or it stays where it is, where the save of
 * its attempt said so. Without a state it goes in any case: what was cut off there is begun again.
 */
export function releaseWorktree(site: RunContext, lease: Lease, state: RunState | null): Promise<void> {
  const known = leaving.get(lease) ?? release(site, lease, state);
  leaving.set(lease, known);
  return known;
}

async function release(site: RunContext, lease: Lease, state: RunState | null): Promise<void> {
  try {
    await tearDown(site, lease);
  } finally {
    site.slots.releaseWorktree(lease);
    if (state !== null && stays(state, lease)) await site.pool.leave(lease);
    else {
      await site.prepared.releaseWorktree(lease);
      await site.pool.release(lease);
    }
  }
}

function stays(state: RunState, { attempt }: Lease): boolean {
  if (attempt === null) return false;
  const { task } = splitAttemptId(attempt);
  if (!state.index.indexOf.has(task)) return false;
  const { past, live } = taskOf(state, task).now;
  const gated = live.flatMap(({ id, stage }) => (stage.kind === "gate" ? [{ id, saved: stage.saved }] : []));
  return [...past, ...gated].some(({ id, saved }) => id === attempt && saved.stays !== null);
}
