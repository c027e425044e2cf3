import { dollars, listed } from "./run-words.ts";
import type { Cost } from "./totals.ts";

/** What a run has cost, in the words of every view of it: not told by anybody, at least so much, or so much. */
export type ToldCost = Pick<Cost, "totalUsd" | "isTold" | "isPartial" | "silent">;

/** `at least $20.18 of $40.00`. Null where there is nothing to tell: nothing was spent, and nobody asked for a limit. `where` says what became of it. */
export function costWords(cost: ToldCost, budgetUsd: number | null, where = ""): string | null {
  const { totalUsd, isTold, isPartial, silent } = cost;
  const isHeld = budgetUsd === null || silent.length === 0;
  if (isPartial && !isTold)
    return `not told by the agents${isHeld ? "" : `; ${budgetWarning(silent, budgetUsd)}`}`;
  const unheld = isHeld ? "" : `; ${listed(silent)} did not always tell a cost, so the budget cannot hold`;
  if (totalUsd === 0 && !isPartial && budgetUsd === null) return null;
  return `${leastDollars(cost)}${budgetUsd === null ? "" : ` of ${dollars(budgetUsd)}`}${where}${unheld}`;
}

/** `at least $20.18` where somebody has not told. */
export function leastDollars({ totalUsd, isPartial }: Pick<ToldCost, "totalUsd" | "isPartial">): string {
  return `${isPartial ? "at least " : ""}${dollars(totalUsd)}`;
}

/** A budget counts what agents tell, and these tell nothing. */
export function budgetWarning(agents: readonly string[], budgetUsd: number): string {
  const tell = agents.length === 1 ? "tells" : "tell";
  return `${listed(agents)} ${tell} no cost, so the budget of ${dollars(budgetUsd)} cannot hold`;
}
