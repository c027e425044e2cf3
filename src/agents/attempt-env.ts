import type { Env } from "../core/plan.ts";
import type { InvokeInput } from "./adapter.ts";

/**
 * Tells every agent, its hooks and its tools which attempt they work for. The last two are heard by the tools of CAST and
 * of parallel-orchestra: inside an agent they start no agents of their own.
 */
export function attemptEnv({ task, attempt }: Pick<InvokeInput, "task" | "attempt">): Env {
  return {
    PLAIT_TASK: task,
    PLAIT_ATTEMPT_N: String(attempt),
    CAST_SUBPROCESS: "1",
    PO_WORKTREE_GUARD: "1",
  };
}
