import type { Policy } from "../app/index.ts";
import { defaultPolicy } from "../config/settings.ts";
import type { Plan } from "../core/plan.ts";
import type { Request } from "./request.ts";

/** The plan as flags and configuration files completed it, then what plait does when nobody says. */
export function buildPolicy(plan: Plan, { options, env }: Pick<Request, "options" | "env">): Policy {
  const { failFast, allowRedBase, recheck, withoutSubAgents } = options;
  return {
    slots: plan.slots ?? defaultPolicy.slots,
    failFast: failFast ?? false,
    land: plan.land,
    landStyle: plan.landStyle,
    publish: plan.publish,
    budgetUsd: plan.budgetUsd,
    mergeBatch: defaultPolicy.mergeBatch,
    mergeAhead: defaultPolicy.mergeAhead,
    keepWorktrees: options.keepWorktrees ?? env.keepWorktrees,
    ...(withoutSubAgents === true && { withoutSubAgents }),
    ...(recheck === true && { recheck }),
    redBase: allowRedBase === true ? "allow" : defaultPolicy.redBase,
  };
}
