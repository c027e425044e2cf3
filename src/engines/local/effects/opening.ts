// A task for a person: its worktree at the task's path, on a branch of its own, prepared like any other, with what the last
// attempt left in it. Where merged work of others is in the way, both sides are in the files.

import type { Effects } from "../driver.ts";
import type { Site } from "../site.ts";
import { openWorktree } from "./worktree.ts";

export function openEffect(site: Site): Effects["open"] {
  return async ({ open: { attempt, base, after } }, { state, record, signal }) => {
    const asked = { attempt, base, after: after?.attempt ?? null, marker: `${site.run}.open`, signal };
    const { lease, conflicts, prepared } = await openWorktree(site, state(), asked);
    if (!prepared.ok) throw new Error(prepared.detail);
    await record({ type: "worktree.opened", attempt, worktree: lease.slot.path, conflicts });
  };
}
