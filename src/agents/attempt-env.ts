import type { Env } from "../core/plan.ts";
import type { InvokeInput } from "./adapter.ts";

/** Tells every agent, its hooks and its tools which attempt they work for. */
export function attemptEnv({ task, attempt }: Pick<InvokeInput, "task" | "attempt">): Env {
  return { PLAIT_TASK: task, PLAIT_ATTEMPT_N: String(attempt) };
}
