import type { Fact } from "../core/facts.ts";

export type UndoOutcome =
  | { readonly kind: "undone"; readonly fact: Extract<Fact, { type: "landing.undone" }> }
  | { readonly kind: "refused"; readonly why: string };

/** What became of an undo, by the facts that came after it was asked for. */
export function undoTold(): { readonly hear: (fact: Fact) => void; readonly outcome: () => UndoOutcome } {
  const facts: Fact[] = [];
  return { hear: (fact) => facts.push(fact), outcome: () => outcomeOf(facts) };
}

/** The last word about it counts; what failed on the way was tried again. */
function outcomeOf(facts: readonly Fact[]): UndoOutcome {
  const fact =
    facts.findLast(({ type }) => type === "landing.undone" || type === "undo.refused") ??
    facts.findLast((one) => one.type === "effect.failed" && one.key.startsWith("undo "));
  if (fact?.type === "landing.undone") return { kind: "undone", fact };
  const why = fact !== undefined && "detail" in fact ? fact.detail : "the run ended without a word about it";
  return { kind: "refused", why };
}
