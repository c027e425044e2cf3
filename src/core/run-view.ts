import type { Activity } from "./activity.ts";
import type { EpochMs, Fact } from "./facts.ts";
import type { AttemptId, RunId } from "./ids.ts";
import type { RunState } from "./run-state.ts";

/**
 * A run as those see it who look at it: the process that drives it, another terminal, the page. All get the same facts, in
 * the same order, folded by the same functions.
 */
export type RunView = {
  readonly run: RunId;
  /** Where journal, logs and texts of the run lie. */
  readonly folder: string;
  /** The fold of all facts that were given out so far. */
  readonly state: () => RunState;
  /** The time by the clock of the driver. */
  readonly now: () => EpochMs;
  /** By live attempt. */
  readonly activity: () => ReadonlyMap<AttemptId, Activity>;
  /** Every fact that comes from now on. Gives the function that ends it. */
  readonly subscribe: (listener: RunListener) => () => void;
};

export type RunListener = {
  /** With the states around it: what changed is seen by comparing them. */
  readonly fact?: (fact: Fact, after: RunState, before: RunState) => void;
  readonly activity?: (activity: Activity) => void;
};
