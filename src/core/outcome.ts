import { redBaseChecks } from "./base-check.ts";
import type { RunOutcome } from "./facts.ts";
import { isAtRest, isComplete, isOverBudget, missingLandingChecks, staysOnIntegration } from "./landing.ts";
import { isProposed } from "./plan.ts";
import type { RunState } from "./run-state.ts";
import { values } from "./sorted-map.ts";

/**
 * How the run stands if it ended now. `complete` is the only outcome with exit 0, and it is I1 word for word: every
 * selected task merged (its gates green for exactly the merged tree) or passed, and landed where the user asked, on a
 * tree that the plan's gates are green for.
 */
export function outcomeOf(state: RunState): RunOutcome {
  if (isComplete(state) && allProven(state)) {
    if (isWhereAsked(state)) return "complete";
    if (state.stopping === null || state.landing.kind === "undone") return "not-landed";
  }
  // Where nothing was left to start, it makes no difference that nothing was to be started.
  if (state.stopping === "drain" && (isComplete(state) || !isAtRest(state))) return "drained";
  // A failed task that ends the run lets it save; a kill is always a person's, and leaves the saving to a resume.
  if (state.stopping === "kill" || (state.stopping === "stop" && !state.failedFast)) return "stopped";
  if (redBaseChecks(state).length > 0) return "red-base";
  if (state.held !== null || state.indices.phases.held > 0) return "held";
  return isOverBudget(state) ? "over-budget" : "incomplete";
}

function allProven(state: RunState): boolean {
  for (const { phase } of values(state.tasks)) if (phase.kind === "merged" && !phase.proven) return false;
  return true;
}

function isWhereAsked(state: RunState): boolean {
  if (state.tip.commit === state.base.commit) return true;
  const { publish } = state.policy;
  const { published, landing } = state;
  const isPublished =
    publish === "no" ||
    (published.kind === "published" && (landing.kind !== "landed" || published.commit === landing.to.commit));
  if (isProposed(publish) && !staysOnIntegration(state)) {
    // What is proposed was built and gated before it went to the server.
    return isPublished;
  }
  if (state.landing.kind === "landed") {
    const isGreen = missingLandingChecks(state, state.landing.to).length === 0;
    return state.landing.target === state.target && isGreen && isPublished;
  }
  return staysOnIntegration(state) && missingLandingChecks(state, state.tip).length === 0;
}
