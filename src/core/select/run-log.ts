// The facts of a run, each with what it is about and what it changed: what a log shows beside the words of the agents.

import { evolve } from "../evolve.ts";
import type { Fact, GateAsker } from "../facts.ts";
import { type AttemptId, splitAttemptId } from "../ids.ts";
import type { RunState } from "../run-state.ts";
import { findNotices, type Notice } from "./notices.ts";

export type LoggedFact = {
  readonly fact: Fact;
  /** The attempts that it is about; none where it is about the run. */
  readonly attempts: readonly AttemptId[];
  /** What follows from it for tasks and run. */
  readonly notices: readonly Notice[];
};

/** Takes the facts of a run one after another, from the first. */
export type FactLog = (fact: Fact) => LoggedFact;

export function factLog(): FactLog {
  let state: RunState | null = null;
  const candidates = new Map<string, readonly AttemptId[]>();
  const ofAsker = (asker: GateAsker): readonly AttemptId[] =>
    asker.kind === "attempt" ? [asker.attempt] : (candidates.get(asker.commit) ?? []);

  return (fact) => {
    const before = state;
    state = evolve(state, fact);
    if (fact.type === "candidate.built") candidates.set(fact.result.commit, attemptsOf(fact));
    const attempts = fact.type === "gate.judged" ? fact.asked.flatMap(ofAsker) : attemptsOf(fact);
    const changed = before === null || state === null ? [] : findNotices(fact, before, state);
    return { fact, attempts: [...new Set(attempts)], notices: changed };
  };
}

function attemptsOf(fact: Fact): readonly AttemptId[] {
  if (fact.type === "candidate.built" || fact.type === "integration.advanced")
    return fact.tasks.map(({ attempt }) => attempt);
  if (fact.type === "candidate.refused") return [fact.task.attempt];
  // The attempt of an opened task begins when a person submits it.
  const attempt = fact.type !== "task.opened" && "attempt" in fact ? fact.attempt : null;
  return attempt === null ? [] : [attempt];
}

/**
 * What of a fact is told in the log of one attempt: the fact itself when it is about it, and what follows for its task as long
 * as no later attempt has begun. Null: nothing.
 */
export function ofAttempt(
  logged: LoggedFact,
  attempt: AttemptId,
  { isLast }: { isLast: boolean },
): LoggedFact | null {
  const { task } = splitAttemptId(attempt);
  const told = isLast ? logged.notices.filter((one) => one.task === task) : [];
  const isAbout = logged.attempts.includes(attempt);
  if (!isAbout && told.length === 0) return null;
  return { ...logged, attempts: isAbout ? [attempt] : [], notices: told };
}

/** The same for all facts of a run so far. */
export function logOfAttempt(log: readonly LoggedFact[], attempt: AttemptId): LoggedFact[] {
  const { task } = splitAttemptId(attempt);
  let last: AttemptId | null = null;
  return log.flatMap((logged) => {
    const { fact } = logged;
    if (fact.type === "attempt.started" && splitAttemptId(fact.attempt).task === task) last = fact.attempt;
    return ofAttempt(logged, attempt, { isLast: last === attempt }) ?? [];
  });
}
