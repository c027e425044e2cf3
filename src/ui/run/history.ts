import { evolve } from "../../core/evolve.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";

/**
 * All facts of a run so far, and its state after any number of them. States share their structure, so a few of them along
 * the way are kept, and any other is a short fold away.
 */
export type History = {
  readonly facts: readonly Fact[];
  readonly add: (fact: Fact) => void;
  /** Null before the first fact. */
  readonly stateAfter: (count: number) => RunState | null;
  /** How many facts there were at that time. */
  readonly countAt: (at: EpochMs) => number;
};

const KEEP_EVERY = 64;

export function createHistory(): History {
  const facts: Fact[] = [];
  const kept: (RunState | null)[] = [null];
  let last: { readonly count: number; readonly state: RunState | null } = { count: 0, state: null };

  function stateAfter(count: number): RunState | null {
    const wanted = Math.max(0, Math.min(count, facts.length));
    let from = Math.floor(wanted / KEEP_EVERY) * KEEP_EVERY;
    let state = kept[from / KEEP_EVERY] ?? null;
    if (last.count <= wanted && last.count > from) [from, state] = [last.count, last.state];
    for (let n = from; n < wanted; n += 1) state = evolve(state, facts[n] as Fact);
    last = { count: wanted, state };
    return state;
  }

  return {
    facts,
    stateAfter,
    add: (fact) => {
      const state = evolve(stateAfter(facts.length), fact);
      facts.push(fact);
      last = { count: facts.length, state };
      if (facts.length % KEEP_EVERY === 0) kept.push(state);
    },
    // The clock of a driver is monotonic; a resumed run may begin a little before the last fact of the driver before it.
    countAt: (at) => {
      let [low, high] = [0, facts.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((facts[middle] as Fact).at <= at) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
