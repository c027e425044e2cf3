import type { Policy } from "./facts.ts";

/** A run with no slot, or that may build no candidate, would wait for ever without a word. */
export function usablePolicy(policy: Policy): Policy {
  return {
    ...policy,
    slots: Math.max(1, policy.slots),
    mergeBatch: Math.max(1, policy.mergeBatch),
    mergeAhead: Math.max(1, policy.mergeAhead),
    keepWorktrees: policy.keepWorktrees === true, // journals from before it was asked do not say
  };
}
