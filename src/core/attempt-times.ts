import type { EpochMs } from "./facts.ts";
import type { LiveAttempt, PastAttempt, RunState } from "./run-state.ts";

/**
 * How long attempts took. The state keeps times of day as they were, and beside them how much of the time nobody could
 * work: between two drivers, and while the machine slept. Who takes one time of day from another counts the night too.
 */
export type AttemptTimes = { readonly agentMs: number; readonly gatesMs: number };

type Attempt = LiveAttempt | PastAttempt;

/** Up to now where it is not over. */
export function attemptTimes(attempt: Attempt, now: EpochMs): AttemptTimes {
  const { startedAt, undrivenMs } = attempt;
  const until = "settledAt" in attempt ? attempt.settledAt : now;
  const ended = endOf(attempt);
  if (ended === null) return { agentMs: atLeastZero(until - startedAt - undrivenMs), gatesMs: 0 };
  return {
    agentMs: atLeastZero(ended.at - startedAt - ended.undrivenMs),
    gatesMs: atLeastZero(until - ended.at - (undrivenMs - ended.undrivenMs)),
  };
}

/** From its start until all that was asked of it was over. */
export function attemptMs(attempt: Attempt, now: EpochMs): number {
  const { agentMs, gatesMs } = attemptTimes(attempt, now);
  return agentMs + gatesMs;
}

export const pastMs = (attempt: PastAttempt): number => attemptMs(attempt, attempt.settledAt);

/** From when one was over to the start of the next, as far as anybody drove the run. */
export function pauseMs(before: PastAttempt, next: Attempt): number {
  return untilMs(before, { at: next.startedAt, undrivenBefore: next.undrivenBefore });
}

/** A time of day, and that of the run by then. */
type Moment = { readonly at: EpochMs; readonly undrivenBefore: number };

/** From when it was over to a moment behind it, in the same way. */
export function untilMs(over: PastAttempt, { at, undrivenBefore }: Moment): number {
  const undrivenMs = undrivenBefore - over.undrivenBefore - over.undrivenMs;
  return atLeastZero(at - over.settledAt - undrivenMs);
}

/** From a moment to the clock of the state. */
export function sinceMs({ at, undrivenBefore }: Moment, { clock, undrivenMs }: RunState): number {
  return atLeastZero(clock - at - (undrivenMs - undrivenBefore));
}

/** From the start of one until another was over. */
export function spanMs(first: Attempt, last: PastAttempt): number {
  const undrivenMs = last.undrivenBefore + last.undrivenMs - first.undrivenBefore;
  return atLeastZero(last.settledAt - first.startedAt - undrivenMs);
}

function endOf(attempt: Attempt) {
  if ("ended" in attempt) return attempt.ended;
  const { stage } = attempt;
  return stage.kind === "save" || stage.kind === "gate" ? stage.ended : null;
}

const atLeastZero = (ms: number): number => Math.max(0, ms);
