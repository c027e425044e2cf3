import type { Caps } from "../../src/core/caps.ts";

/** Caps as they are by default, written down so that a test of formats needs no configuration. */
export const caps: Caps = {
  maxPlanBytes: 1024 * 1024,
  maxDepth: 32,
  maxTasks: 2_000,
  maxPromptBytes: 256 * 1024,
};
