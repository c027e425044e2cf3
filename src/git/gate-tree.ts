// A tree to judge: a scratch worktree with exactly its files. What a gate does to it is thrown away with the next use of the
// slot; a gate that changed tracked files judged something else, and its verdict is void.

import type { Revision } from "../core/facts.ts";
import type { Lease } from "./lease.ts";
import type { Pool } from "./pool.ts";
import { rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** Does something in a worktree with the files of a tree, and gives the worktree back. */
export async function inGateTree<T>(
  pool: Pool,
  at: Revision,
  judge: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await pool.acquireScratch(at);
  try {
    return await judge(lease);
  } finally {
    await pool.release(lease);
  }
}

/** Tracked files that are not as they were checked out. Content counts, a new time alone does not. */
export async function changedTracked(shadow: Shadow, { slot }: Lease): Promise<string[]> {
  const args = ["ls-files", "-z", "-m", "-d"];
  const { stdout } = await callShadow(shadow, { args, workTree: slot.path, index: slot.index });
  return [...new Set(rawFields(stdout))].map(shown).sort();
}
