import { dollars, listed } from "../text/figures.ts";
import type { Cost } from "./totals.ts";

/** What a run cost, the same in every view: not reported, at least so much, or so much. */
export type ToldCost = Pick<Cost, "totalUsd" | "isReported" | "isPartial" | "silent">;

/** `at least $20.18 of $40.00`. Null where nothing was spent and there is no budget. `where` names work that did not merge. */
export function costWords(cost: ToldCost, budgetUsd: number | null, where = ""): string | null {
  const { totalUsd, isReported, isPartial, silent } = cost;
  const isHeld = budgetUsd === null || silent.length === 0;
  if (isPartial && !isReported) return `not reported${isHeld ? "" : `; ${budgetWarning(silent, budgetUsd)}`}`;
  const unheld = isHeld
    ? ""
    : `; ${listed(silent)} did not report every cost, so the budget cannot be enforced`;
  if (totalUsd === 0 && !isPartial && budgetUsd === null) return null;
  return `${leastDollars(cost)}${budgetUsd === null ? "" : ` of ${dollars(budgetUsd)}`}${where}${unheld}`;
}

/** `at least $20.18` where an attempt did not report its cost. */
export function leastDollars({ totalUsd, isPartial }: Pick<ToldCost, "totalUsd" | "isPartial">): string {
  return `${isPartial ? "at least " : ""}${dollars(totalUsd)}`;
}

/** A budget counts what agents report, and these report nothing. */
export function budgetWarning(agents: readonly string[], budgetUsd: number): string {
  return `${listed(agents)} ${agents.length === 1 ? "does" : "do"} not report costs, so the budget of ${dollars(budgetUsd)} cannot be enforced`;
}
