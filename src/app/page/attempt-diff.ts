// What an attempt changed, with the figures of every file: against what it began with, or against what another attempt left.

import type { Revision } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import { formatRefusal } from "../../core/text/refusal.ts";
import { diffStats, isGitFailure } from "../../git/index.ts";
import type { DiffAgainst, DiffDocument } from "../../report/page/wire.ts";
import type { Mask } from "../run-mask.ts";
import type { FoundRun } from "../runs.ts";
import { savedWork, shownDiff, taskDiff } from "../task-files.ts";

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_FILES = 2_000;

export async function attemptDiff(
  found: FoundRun,
  attempt: AttemptId,
  { against, mask }: { readonly against: DiffAgainst; readonly mask: Mask },
): Promise<DiffDocument> {
  const saved = savedWork(found.known, attempt);
  if (against !== "base") {
    const other = savedWork(found.known, against);
    if (saved === null || other === null) return { kind: "at-work" };
    return between(found, { from: other.result, to: saved.result }, mask);
  }
  const made = await taskDiff(found, attempt, { maxBytes: MOST_BYTES, stat: false, mask });
  if (!made.ok) return { kind: "gone", why: formatRefusal(made.refusal) };
  if (made.kind === "at-work" || saved === null) return { kind: "at-work" };
  return { kind: "diff", stat: await statOf(found, saved.base, saved.result), diff: made.diff };
}

async function between(
  found: FoundRun,
  { from, to }: { readonly from: Revision; readonly to: Revision },
  mask: Mask,
): Promise<DiffDocument> {
  try {
    const range = { from: from.tree, to: to.tree };
    const diff = await shownDiff(found.repository, range, { maxBytes: MOST_BYTES, stat: false, mask });
    return { kind: "diff", stat: await statOf(found, from, to), diff };
  } catch (error) {
    if (!isGitFailure(error, "not-found", "corrupt")) throw error;
    const why = "the work of one of these attempts is no longer in the repository";
    return { kind: "gone", why };
  }
}

async function statOf({ repository }: FoundRun, from: Revision, to: Revision) {
  const [stat] = await diffStats(repository, [{ from: from.tree, to: to.tree }], { maxFiles: MOST_FILES });
  return stat?.changes ?? [];
}
