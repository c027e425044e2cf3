import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { RunListener, RunView } from "../../core/run-view.ts";

/** A view that is fed: by the driver in its own process, by the control socket in another. */
export type FedView = RunView & {
  readonly fold: (fact: Fact, after: RunState) => void;
  readonly tell: (activity: Activity) => void;
};

export function fedView(first: RunState, { folder, now }: { folder: string; now: () => EpochMs }): FedView {
  const listeners = new Set<RunListener>();
  const activity = new Map<AttemptId, Activity>();
  let state = first;
  return {
    run: first.run,
    folder,
    now,
    state: () => state,
    activity: () => activity,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fold: (fact, after) => {
      const before = state;
      state = after;
      if (fact.type === "attempt.ended") activity.delete(fact.attempt);
      for (const listener of listeners) heard(listener, () => listener.fact?.(fact, after, before));
    },
    tell: (told) => {
      activity.set(told.attempt, told);
      for (const listener of listeners) heard(listener, () => listener.activity?.(told));
    },
  };

  /** Who watches a run must not be able to end it: whoever fails hears no more. */
  function heard(listener: RunListener, tell: () => void): void {
    try {
      tell();
    } catch {
      listeners.delete(listener);
    }
  }
}
