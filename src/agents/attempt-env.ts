import type { Env } from "../core/plan.ts";
import type { InvokeInput } from "./adapter.ts";

/**
 * Tells every agent, its hooks and its tools which attempt they work for. The last two are heard by the tools of CAST,
 * which start no agents inside an agent, and of parallel-orchestra, where it stands for a worktree to write in.
 */
export function attemptEnv({ task, attempt, access }: Pick<InvokeInput, "task" | "attempt" | "access">): Env {
  return {
    PLAIT_TASK: task,
    PLAIT_ATTEMPT_N: String(attempt),
    CAST_SUBPROCESS: "1",
    ...(access === "write" && { PO_WORKTREE_GUARD: "1" }),
  };
}
