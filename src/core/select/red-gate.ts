import type { Fact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { AttemptId } from "../ids.ts";

export type GateVerdict = Extract<Fact, { type: "gate.judged" }>;

/**
 * The verdict that an attempt failed for: the last red one of that gate, asked for this attempt, or for what it was merged
 * into. Only the first `upTo` facts count. Null where the attempt failed for something else.
 */
export function redGate(
  facts: readonly Fact[],
  upTo: number,
  { attempt, failure }: { readonly attempt: AttemptId; readonly failure: AttemptFailure },
): GateVerdict | null {
  if (failure.reason !== "gate") return null;
  for (let n = Math.min(upTo, facts.length) - 1; n >= 0; n -= 1) {
    const fact = facts[n] as Fact;
    if (fact.type !== "gate.judged" || fact.verdict !== "red" || fact.name !== failure.gate) continue;
    const isIts = fact.asked.some((asker) =>
      failure.on === "merge"
        ? asker.kind === "candidate"
        : asker.kind === "attempt" && asker.attempt === attempt,
    );
    if (isIts) return fact;
  }
  return null;
}
