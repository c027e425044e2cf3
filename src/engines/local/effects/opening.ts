// A task for a person: its worktree at the task's path, on a branch of its own, prepared like any other, with what the last
// attempt left in it. Where merged work of others is in the way, both sides are in the files.

import { uniqueMarker } from "../../../process/markers.ts";
import type { Effects } from "../driver.ts";
import type { RunContext } from "../run-context.ts";
import { openWorktree } from "./worktree.ts";

export function openEffect(site: RunContext): Effects["open"] {
  return async ({ key, open: { attempt, base, after } }, { state, record, signal }) => {
    const asked = {
      attempt,
      base,
      after: after?.attempt ?? null,
      marker: uniqueMarker(site.run, "open"),
      signal,
    };
    const { lease, conflicts, prepared } = await openWorktree(site, state(), asked);
    if (signal.aborted) return;
    // A person can do without the set-up, or mend it there: what went wrong is told, and the worktree is theirs.
    if (!prepared.ok) await record({ type: "effect.failed", key, detail: prepared.detail });
    await record({ type: "worktree.opened", attempt, worktree: lease.slot.path, conflicts });
  };
}
