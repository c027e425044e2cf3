import { redBaseChecks } from "../base-check.ts";
import type { EpochMs, StopMode } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { hasProcess } from "../queries.ts";
import type { LiveAttempt, RunState, Saved, StopCause } from "../run-state.ts";
import { changeTask, taskState } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { retryFailingSteps } from "./effects.ts";

/** Live attempts of one task: written, marked for their end, and moved to the past. */

export function putLive(state: RunState, i: number, attempt: LiveAttempt): RunState {
  const { live } = taskState(state, i);
  return changeTask(state, i, { live: live.map((other) => (other.id === attempt.id ? attempt : other)) });
}

export type Retired = {
  readonly attempt: LiveAttempt;
  readonly saved: Saved;
  /** Null when its work goes on. */
  readonly failure: AttemptFailure | null;
  readonly at: EpochMs;
};

export function retire(state: RunState, i: number, { attempt, saved, failure, at }: Retired): RunState {
  if (attempt.stage.kind !== "save" && attempt.stage.kind !== "gate") return state;
  const { worktree: _worktree, marker: _marker, worker: _worker, stop: _stop, stage, ...begun } = attempt;
  const over = { ended: stage.ended, saved, settledAt: at, failure, isMerged: false };
  const { live, past } = taskState(state, i);
  return changeTask(state, i, {
    live: live.filter(({ id }) => id !== begun.id),
    past: [...past, { ...begun, ...over }],
  });
}

/** Nobody wants these attempts any more: what is already saved is over at once, the rest when it is saved. */
export function endAttempts(
  state: RunState,
  i: number,
  because: "cancel" | "superseded",
  at: EpochMs,
): RunState {
  let next = state;
  const failure: AttemptFailure = { reason: "cancelled", because, detail: "no longer needed" };
  for (const attempt of taskState(state, i).live) {
    next =
      attempt.stage.kind === "gate"
        ? retire(next, i, { attempt, saved: attempt.stage.saved, failure, at })
        : putLive(next, i, { ...attempt, stop: because });
  }
  return next;
}

export const HARDNESS: { readonly [M in StopMode]: number } = { drain: 0, stop: 1, kill: 2 };

/** A stop can only get harder. Drain lets what runs end; the others end it. */
export function beginStop(state: RunState, mode: StopMode, cause: "stop" | "fail-fast"): RunState {
  if (state.stopping !== null && HARDNESS[state.stopping] >= HARDNESS[mode]) return state;
  const next: RunState = { ...state, stopping: mode };
  if (mode === "drain") return next;
  return endProcesses(cause === "stop" ? retryFailingSteps(next) : next, cause);
}

/** A red base makes every agent's work useless: they end now, without a stop, so that the other gates still run on the base. */
export function stopOnRedBase(state: RunState): RunState {
  return redBaseChecks(state).length === 0 ? state : endProcesses(state, "red-base");
}

/** Marks what still has a process, so that its end is no accident later. Saved work stays where it is. */
function endProcesses(state: RunState, stop: StopCause): RunState {
  let next = state;
  for (const [i] of entries(state.indices.live)) {
    const live = taskState(next, i).live.map((attempt) =>
      hasProcess(attempt) && attempt.stop === null ? { ...attempt, stop } : attempt,
    );
    next = changeTask(next, i, { live });
  }
  return next;
}
