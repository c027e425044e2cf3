import type { Fact, FactBody } from "../../src/core/facts.ts";
import type { FailureReason } from "../../src/core/failure.ts";

/** What a journal shows to have happened: a simulator that no longer gets into a corner finds nothing there. */
export function sightsOf(facts: readonly Fact[]): Set<string> {
  const sights = new Set<string>();
  const drivers = facts.filter(({ type }) => type === "run.resumed").length;
  if (drivers > 2) sights.add("several resumes");
  for (const fact of facts) {
    sights.add(fact.type);
    for (const detail of detailsOf(fact)) sights.add(detail);
  }
  return sights;
}

function detailsOf(fact: Fact): string[] {
  switch (fact.type) {
    case "attempt.started":
      return [fact.continues === null ? "fresh attempt" : "fix round", `by ${fact.author}`];
    case "attempt.ended":
      return [`ended: ${fact.failure?.reason ?? "well"}`];
    case "attempt.saved":
      return [fact.findings.length > 0 ? "refused change" : "allowed change"];
    case "candidate.built":
      return [fact.tasks.length > 1 ? "several tasks in a candidate" : "one task in a candidate"];
    case "gate.judged":
      return [`${fact.verdict} verdict`, fact.tries > 1 ? "gate tried again" : "gate tried once"];
    case "landing.refused":
      return [`landing refused: ${fact.why}`];
    case "plan.revised":
      return [fact.redo.length > 0 ? "redo" : "revision"];
    case "run.stopping":
      return [`stop: ${fact.mode}`];
    case "waits.skipped":
      return [`waits skipped by ${fact.because}`];
    case "run.ended":
      return [`outcome: ${fact.outcome}`];
    default:
      return [];
  }
}

/** Every kind of fact there is; a new one that the simulator does not know does not compile. */
const FACT_TYPES: { readonly [T in FactBody["type"]]: true } = {
  "run.started": true,
  "run.resumed": true,
  "run.slept": true,
  "target.moved": true,
  "run.held": true,
  "effect.failed": true,
  "run.ended": true,
  "attempt.started": true,
  "attempt.spawned": true,
  "attempt.ended": true,
  "attempt.saved": true,
  "worktree.opened": true,
  "candidate.built": true,
  "candidate.refused": true,
  "integration.advanced": true,
  "integration.caught-up": true,
  "landing.built": true,
  "run.landed": true,
  "landing.refused": true,
  "landing.undone": true,
  "undo.refused": true,
  "run.published": true,
  "publishing.refused": true,
  "gate.judged": true,
  "account.limited": true,
  "account.probed": true,
  "waits.skipped": true,
  "accounts.changed": true,
  "run.stopping": true,
  "run.paused": true,
  "run.unpaused": true,
  "policy.changed": true,
  "landing.asked": true,
  "undo.asked": true,
  "plan.revised": true,
  "task.reopened": true,
  "task.cancelled": true,
  "task.held": true,
  "task.opened": true,
  "task.approved": true,
};

/** What an agent's end may be called; what only the core finds out afterwards is not among them. */
const REASONS: {
  readonly [R in Exclude<
    FailureReason,
    "gate" | "ownership" | "incomplete" | "conflict" | "nothing-done"
  >]: true;
} = {
  "rate-limit": true,
  "usage-limit": true,
  timeout: true,
  cancelled: true,
  overloaded: true,
  auth: true,
  billing: true,
  budget: true,
  "max-turns": true,
  context: true,
  network: true,
  "agent-error": true,
  "agent-said-no": true,
  crash: true,
  denied: true,
  environment: true,
  rejected: true,
  "not-started": true,
  orphaned: true,
};

const OUTCOMES = ["complete", "incomplete", "drained", "stopped", "over-budget", "not-landed", "held"];

export const TO_BE_SEEN: readonly string[] = [
  ...Object.keys(FACT_TYPES),
  ...Object.keys(REASONS).map((reason) => `ended: ${reason}`),
  ...OUTCOMES.map((outcome) => `outcome: ${outcome}`),
  ...["drain", "stop", "kill"].map((mode) => `stop: ${mode}`),
  ...["no-target", "dirty", "conflict", "unexplained"].map((why) => `landing refused: ${why}`),
  "waits skipped by person",
  "waits skipped by record",
  "several resumes",
  "fix round",
  "by person",
  "ended: well",
  "refused change",
  "several tasks in a candidate",
  "red verdict",
  "gate tried again",
  "redo",
];
