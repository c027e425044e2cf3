// Who moved a branch: git keeps a log of where it has been and why. A person's git writes there what it did, and moves the HEAD of
// the checkout along. A ref that was written by hand, pushed to or fetched into from a worktree has neither.

import type { Oid, RefName } from "../core/ids.ts";
import { findUses } from "./land-place.ts";
import { readLogEntries } from "./logs.ts";
import type { Repository } from "./repository.ts";

const BY_HAND = /^(?:commit|merge|pull|rebase|reset|cherry-pick|revert|am|checkout|branch)\b/i;

export async function isMovedByCheckout(
  repository: Repository,
  { target, from, to }: { readonly target: RefName; readonly from: Oid; readonly to: Oid },
): Promise<boolean> {
  const log = await readLogEntries(repository, repository.commonDir, target);
  const last = log.findLastIndex((entry) => entry.to === to);
  const first = log.findLastIndex((entry, i) => i <= last && entry.from === from);
  const moves = first === -1 ? [] : log.slice(first, last + 1);
  if (moves.length === 0 || !moves.every(({ message }) => BY_HAND.test(message))) return false;
  for (const use of await findUses(repository, target)) {
    if (use.kind !== "checked-out") continue;
    const heads = await readLogEntries(repository, use.worktree.gitDir, "HEAD");
    if (!heads.some((entry) => entry.to === to)) return false;
  }
  return true;
}
