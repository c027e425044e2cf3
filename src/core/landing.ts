import { redBaseChecks } from "./base-check.ts";
import type { Revision, RunOutcome } from "./facts.ts";
import { isProposed } from "./plan.ts";
import type { Check } from "./run-index.ts";
import type { EarlierLanding, RunState, TaskState } from "./run-state.ts";
import { isSatisfied, listMissingChecks } from "./run-tasks.ts";
import { values } from "./sorted-map.ts";

/**
 * When a run lands, and what. A complete run lands; an incomplete one only where the plan or a person asked for that.
 * The revision that lands is the tip, or the join with a target that moved, and its gates are green first (I1).
 */

/** All that was selected is merged or passed. */
export function isComplete(state: RunState): boolean {
  const selected = state.selected?.size ?? state.index.plan.tasks.length;
  return selected > 0 && state.indices.done === selected;
}

/** Nothing can move any more without a person: nothing is under way, and nothing may start, now or later. */
export function isAtRest(state: RunState): boolean {
  const { phases, live, opening, ready } = state.indices;
  if (phases.active + phases.queued > 0 || live !== null || opening !== null || state.undoAsked) return false;
  return !mayStartMore(state) || (phases.backoff + phases.parked === 0 && ready === null);
}

/** Neither the budget nor a person's wish to land stands against another attempt. */
export function mayStartMore(state: RunState): boolean {
  return !isOverBudget(state) && !state.landingAsked;
}

export function isOverBudget({ policy, spentUsd }: RunState): boolean {
  return policy.budgetUsd !== null && spentUsd >= policy.budgetUsd;
}

/** What is to land now; null while it is not time, when there is nothing, or when the question is settled. */
export function landingRevision(state: RunState): Revision | null {
  const { landing, policy } = state;
  if (landing.kind !== "none" && landing.kind !== "built") return null;
  if (state.stopping !== null || state.paused || state.held !== null || !isAtRest(state)) return null;
  const willing = isComplete(state) || policy.land === "partial" || state.landingAsked;
  if (!willing || !hasUnlanded(state)) return null;
  return landing.kind === "built" ? landing.result : state.tip;
}

/** Something is merged that the target does not have. */
export function hasUnlanded({ tip, base, landedTip }: RunState): boolean {
  return tip.commit !== base.commit && tip.commit !== landedTip;
}

/** All that is merged has landed, or nothing is merged. */
export function isResultLanded({ landing, tip, base }: RunState): boolean {
  return landing.kind === "landed" || tip.commit === base.commit;
}

/** Merged work that neither the target nor a pull request has. */
export const isMergedOnly = (state: RunState): boolean =>
  hasUnlanded(state) && state.published.kind !== "published";

/** Work is saved, and nothing of the task is merged. A dropped task counts as done. */
export function hasUnmerged({ phase, live, past }: TaskState): boolean {
  const isOver = isSatisfied(phase) || phase.kind === "cancelled";
  if (isOver || past.some(({ isMerged }) => isMerged)) return false;
  const unchecked = live.some(({ stage }) => stage.kind === "gate" && stage.saved.changed);
  return unchecked || past.some(({ saved }) => saved.changed);
}

/** Removing the run would lose work: `plait clean` asks for --force. */
export function holdsOnlyCopy(state: RunState): boolean {
  return isMergedOnly(state) || [...values(state.tasks)].some(hasUnmerged);
}

/** What a person can take back: the last landing that is on the target. */
export function lastLanding({ landing, landings }: RunState): EarlierLanding | null {
  return landing.kind === "landed" ? { tip: landing.tip, landing } : (landings.at(-1) ?? null);
}

/** Something new is to land: what landed before is remembered, and stays on the target. */
export function towardsLanding(state: RunState): Pick<RunState, "landing" | "landings" | "published"> {
  const { landing, landings } = state;
  const all = landing.kind === "landed" ? [...landings, { tip: landing.tip, landing }] : landings;
  return { landing: { kind: "none" }, landings: all, published: { kind: "no" } };
}

export function missingLandingChecks(state: RunState, { tree }: Revision): Check[] {
  return listMissingChecks(state, tree, state.index.landingChecks);
}

/** The integration branch is the place asked for. */
export function staysOnIntegration(state: RunState): boolean {
  return state.policy.land === "never" && !state.landingAsked;
}

/** It is asked to be on the server, it could be, and nobody has tried since. */
export function isToBePublished(state: RunState): boolean {
  const { policy, published, landing } = state;
  if (published.kind !== "no" || staysOnIntegration(state)) return false;
  return policy.publish === "push" ? landing.kind === "landed" : isProposed(policy.publish);
}

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
