import type { Fact } from "../core/facts.ts";

export type UndoOutcome =
  | { readonly kind: "undone"; readonly fact: Extract<Fact, { type: "landing.undone" }> }
  | { readonly kind: "refused"; readonly why: string };

/** The outcome of an undo, from the facts that followed the request. */
export function trackUndoOutcome(): {
  readonly onFact: (fact: Fact) => void;
  readonly outcome: () => UndoOutcome;
} {
  const facts: Fact[] = [];
  return { onFact: (fact) => facts.push(fact), outcome: () => findOutcome(facts) };
}

/** The last fact counts: failures before it were retried. */
function findOutcome(facts: readonly Fact[]): UndoOutcome {
  const fact =
    facts.findLast(({ type }) => type === "landing.undone" || type === "undo.refused") ??
    facts.findLast((one) => one.type === "effect.failed" && one.key.startsWith("undo "));
  if (fact?.type === "landing.undone") return { kind: "undone", fact };
  const why = fact !== undefined && "detail" in fact ? fact.detail : "the run ended before the undo was done";
  return { kind: "refused", why };
}
