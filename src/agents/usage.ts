import type { Usage } from "../core/facts.ts";

const AMOUNTS = ["costUsd", "inputTokens", "outputTokens"] as const satisfies readonly (keyof Usage)[];

/** Null where none of them tells. */
export function sumOfUsage(usages: readonly Usage[]): Usage {
  return usageOf((amount) => {
    const told = usages.map((usage) => usage[amount]).filter((one) => one !== null);
    return told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0);
  });
}

/** What is new in a count that goes on. One that is smaller than what was there before began anew: all of it is new. */
export function usageSince(before: Usage, now: Usage): Usage {
  const beganAnew = AMOUNTS.some((amount) => now[amount] !== null && now[amount] < (before[amount] ?? 0));
  return beganAnew
    ? now
    : usageOf((amount) => (now[amount] === null ? null : now[amount] - (before[amount] ?? 0)));
}

function usageOf(amountOf: (amount: keyof Usage) => number | null): Usage {
  return {
    costUsd: amountOf("costUsd"),
    inputTokens: amountOf("inputTokens"),
    outputTokens: amountOf("outputTokens"),
  };
}
