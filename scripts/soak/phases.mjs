// How long each stage of a task took, by the times of the facts.
import { median } from "../bench/child.mjs";

/** From the first fact to the second, both of the same attempt or task. */
const stages = {
  worktree: ["attempt.started", "attempt.spawned"],
  agent: ["attempt.spawned", "attempt.ended"],
  save: ["attempt.ended", "attempt.saved"],
  merge: ["attempt.saved", "integration.advanced"],
};

export function phasesOf(facts) {
  const at = new Map();
  for (const fact of facts) {
    for (const attempt of attemptsOf(fact)) at.set(`${fact.type} ${attempt}`, fact.at);
  }
  const attempts = facts.flatMap(({ type, attempt }) => (type === "attempt.started" ? [attempt] : []));
  const phases = {};
  for (const [stage, [from, to]] of Object.entries(stages)) {
    const spans = attempts.flatMap((attempt) =>
      span(at.get(`${from} ${attempt}`), at.get(`${to} ${attempt}`)),
    );
    phases[stage] = { medianMs: spans.length === 0 ? 0 : median(spans), maxMs: Math.max(0, ...spans) };
  }
  phases.end = { medianMs: endMs(facts), maxMs: endMs(facts) };
  return phases;
}

function attemptsOf(fact) {
  if (fact.type === "integration.advanced") return fact.tasks.map(({ attempt }) => attempt);
  return fact.attempt === undefined ? [] : [fact.attempt];
}

function span(from, to) {
  return from === undefined || to === undefined ? [] : [to - from];
}

/** From the last merge to the last fact: landing and putting away. */
function endMs(facts) {
  const merged = facts.findLast(({ type }) => type === "integration.advanced")?.at;
  return merged === undefined ? 0 : facts.at(-1).at - merged;
}

export function phasesText(phases) {
  return Object.entries(phases)
    .map(([stage, { medianMs, maxMs }]) => `${stage} ${Math.round(medianMs)}/${Math.round(maxMs)}`)
    .join(", ");
}
