import type { Activity } from "../../../src/core/activity.ts";
import type { EpochMs, Fact } from "../../../src/core/facts.ts";

/** 500 tasks in 12 ranks and ten groups; 277 merged, 23 with agents, 8 in the queue, 4 failed, 1 parked. */
export function monorepo(): {
  readonly facts: readonly Fact[];
  readonly now: EpochMs;
  readonly activity: readonly Activity[];
};
