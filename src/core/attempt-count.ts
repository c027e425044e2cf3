import type { Task } from "./plan.ts";
import type { AttemptCount, TaskState } from "./run-state.ts";

/**
 * What an attempt that starts now counts against. One that continues work which was interrupted, not found wrong, repairs nothing: it
 * counts as the attempt before it did. A plan that was revised may allow less than was used before.
 */
export function countAttempt(
  { retries, fixRounds }: Pick<Task, "retries" | "fixRounds">,
  { used }: Pick<TaskState, "used">,
  isContinued: boolean,
): AttemptCount {
  const isFix = isContinued && used.fixRounds > 0;
  if (!isFix && used.retries === 0) return { kind: "first" };
  const n = isFix ? used.fixRounds : used.retries;
  return { kind: isFix ? "fix" : "retry", n, of: Math.max(n, isFix ? fixRounds : retries) };
}
