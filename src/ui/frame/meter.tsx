import type { Spending } from "../../core/select/forecast.ts";

type MeterProps = { readonly spending: Spending; readonly budgetUsd: number };

/** Spent and expected costs against the budget; its color shows whether that is likely to be enough. */
export function CostMeter({ spending: { usd, expectedUsd }, budgetUsd }: MeterProps) {
  const spent = usd ?? 0;
  const share = (value: number): string => `${Math.min(100, (100 * value) / Math.max(budgetUsd, 0.01))}%`;
  const look = spent >= budgetUsd ? "you" : (expectedUsd ?? 0) > budgetUsd ? "clock" : "fine";
  return (
    <div class={`meter ${look === "fine" ? "" : `actor-${look}`}`} title={TITLES[look]} aria-hidden="true">
      <i class="meter-expected" style={{ width: share(Math.max(spent, expectedUsd ?? 0)) }} />
      <i class="meter-spent" style={{ width: share(spent) }} />
    </div>
  );
}

const TITLES = {
  fine: "within the budget",
  clock: "likely to exceed the budget",
  you: "over budget: no new attempts start",
} as const;
