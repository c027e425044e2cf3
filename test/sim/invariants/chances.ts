import type { FailureReason } from "../../../src/core/failure.ts";
import type { AttemptId } from "../../../src/core/ids.ts";
import type { Task } from "../../../src/core/plan.ts";
import type { AttemptRecord, Ledger } from "../ledger.ts";

/** Ended from outside, or for want of an account: no fault of the task. */
const COST_NOTHING: ReadonlySet<FailureReason | "unknown"> = new Set([
  "cancelled",
  "not-started",
  "usage-limit",
  "auth",
  "billing",
  "network",
  "unknown",
]);
const FREE_TRIES = 10;

/**
 * How many retries a task must have used up by now, told from the journal alone. Where the journal does not say why an
 * attempt was not the last (a person may have cancelled it), it counts nothing: this is what is certain.
 */
export function retriesUsed(
  ledger: Ledger,
  task: Task,
  next: { readonly continues: AttemptId | null },
): number {
  if (task.race > 1) return 0;
  const since = ledger.reset.get(task.id) ?? 0;
  // What fits merged work to a target uses up fix rounds alone.
  const records = ledger
    .of(task.id)
    .filter(({ place, started }) => place > since && !ledger.joins.has(started.base.commit));
  let used = 0;
  let free = 0;
  let orphans = 0;
  records.forEach((record, i) => {
    const reason = reasonOf(ledger, record);
    const isFixed = (records[i + 1]?.started ?? next).continues === record.id;
    if (COST_NOTHING.has(reason) || isFixed) return;
    if (reason === "orphaned" && orphans < 1) orphans += 1;
    else if ((reason === "rate-limit" || reason === "overloaded") && free < FREE_TRIES) free += 1;
    else used += 1;
  });
  return used;
}

function reasonOf(ledger: Ledger, { ended, saved, place, task }: AttemptRecord): FailureReason | "unknown" {
  // After somebody has asked for its end, nothing is held against it for certain.
  if (ledger.mayHaveAskedToEnd(task, place)) return "unknown";
  if (ended?.failure) return ended.failure.reason;
  return saved !== null && saved.findings.length > 0 ? "ownership" : "unknown";
}
