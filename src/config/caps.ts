import type { Caps } from "../core/caps.ts";

/** What a plan may be without asking; flags and variables raise it. */
export const defaultCaps: Caps = {
  maxPlanBytes: 1024 * 1024,
  maxDepth: 32,
  maxTasks: 2_000,
  maxPromptBytes: 256 * 1024,
};

/** How far each cap may be raised. Beyond this depth the YAML parser itself would fail. */
export const highestCaps: Caps = {
  maxPlanBytes: 256 * 1024 * 1024,
  maxDepth: 256,
  maxTasks: 100_000,
  maxPromptBytes: 64 * 1024 * 1024,
};
