import type { AgentChoice, Plan, Price, Range } from "../../plan.ts";
import type { Lengths } from "../../schedule.ts";

/** What the agents of a run would cost when every task succeeds at its first attempt. */
export type CostPreview = {
  /** What those tasks cost together that have a figure; says nothing about the others. */
  readonly known: Range;
  readonly counted: number;
  readonly agentTasks: number;
  /** Null when any agent's task is without a figure: then `known` is only the least. */
  readonly total: Range | null;
  readonly budgetUsd: number | null;
  /** `unclear`: the known part fits, the rest is unknown. */
  readonly budget: "none" | "enough" | "may-be-exceeded" | "too-small" | "unclear";
};

const MS_PER_HOUR = 3_600_000;

/** Per task its own estimate, else the stated price of its agent for the expected time; null where neither is known. */
export function taskCosts(plan: Plan, lengths: Lengths): (Range | null)[] {
  return plan.tasks.map((task, i) => {
    if (task.work.kind === "command") return null;
    const once = task.estimate?.costUsd ?? fromPrice(plan.prices, task.work.agent, hours(lengths, i));
    return once === null ? null : { low: once.low * task.race, high: once.high * task.race };
  });
}

export function costOf(plan: Plan, costs: readonly (Range | null)[]): CostPreview | null {
  const stated = costs.filter((cost) => cost !== null);
  if (stated.length === 0) return null;
  const known = {
    low: stated.reduce((sum, cost) => sum + cost.low, 0),
    high: stated.reduce((sum, cost) => sum + cost.high, 0),
  };
  const agentTasks = plan.tasks.filter(({ work }) => work.kind === "agent").length;
  const isWhole = stated.length === agentTasks;
  return {
    known,
    counted: stated.length,
    agentTasks,
    total: isWhole ? known : null,
    budgetUsd: plan.budgetUsd,
    budget: judgeBudget(plan.budgetUsd, known, { isWhole }),
  };
}

/** What is known can only prove that a budget is too small; that it is enough takes the whole. */
function judgeBudget(
  budgetUsd: number | null,
  { low, high }: Range,
  { isWhole }: { readonly isWhole: boolean },
): CostPreview["budget"] {
  if (budgetUsd === null) return "none";
  if (low > budgetUsd) return "too-small";
  if (high > budgetUsd) return "may-be-exceeded";
  return isWhole ? "enough" : "unclear";
}

/** A price for the very model counts before one for the agent as a whole. */
function fromPrice(prices: readonly Price[], agent: AgentChoice, hours: number | null): Range | null {
  const ofAgent = prices.filter((price) => price.agent === agent.use);
  const price =
    ofAgent.find(({ model }) => model !== null && model === agent.model) ??
    ofAgent.find(({ model }) => model === null);
  if (price === undefined || hours === null) return null;
  return { low: price.usdPerHour.low * hours, high: price.usdPerHour.high * hours };
}

function hours(lengths: Lengths, index: number): number | null {
  return lengths.unit === "ms" ? (lengths.lengths[index] as number) / MS_PER_HOUR : null;
}
