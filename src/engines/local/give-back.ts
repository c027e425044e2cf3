import type { Lease } from "../../git/index.ts";
import { tearDown } from "./prepare.ts";
import type { Site } from "./site.ts";

/** On their way back: two saves that end together see the same worktrees. */
const leaving = new WeakSet<Lease>();

/** A worktree whose work is saved is cleared up after, and goes back to the pool. */
export async function giveBack(site: Site, lease: Lease): Promise<void> {
  if (leaving.has(lease)) return;
  leaving.add(lease);
  try {
    await tearDown(site, lease);
  } finally {
    site.slots.giveBack(lease);
    await site.pool.release(lease);
  }
}
