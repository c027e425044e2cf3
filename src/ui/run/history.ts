import { evolve } from "../../core/evolve.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { findNotices, type Notice } from "../../core/select/notices.ts";

/** A notice, and the place of the fact that it follows from. */
export type Noticed = { readonly n: number; readonly notice: Notice };

export type History = ReturnType<typeof createHistory>;

const KEEP_EVERY = 64;

/**
 * All facts of a run so far, and its state after any number of them. States share their structure, so a few of them along
 * the way are kept, and any other is a short fold away.
 */
export function createHistory() {
  const facts: Fact[] = [];
  const noticed: Noticed[] = [];
  const times: EpochMs[] = [];
  const kept: (RunState | null)[] = [null];
  let latest: RunState | null = null;
  let last: { readonly count: number; readonly state: RunState | null } = { count: 0, state: null };

  /** Null before the first fact. */
  function stateAfter(count: number): RunState | null {
    const wanted = Math.max(0, Math.min(count, facts.length));
    if (wanted === facts.length) return latest;
    let from = Math.floor(wanted / KEEP_EVERY) * KEEP_EVERY;
    let state = kept[from / KEEP_EVERY] ?? null;
    if (last.count <= wanted && last.count > from) [from, state] = [last.count, last.state];
    for (let n = from; n < wanted; n += 1) state = evolve(state, facts[n] as Fact);
    last = { count: wanted, state };
    return state;
  }

  function add(fact: Fact): void {
    const before = latest;
    latest = evolve(before, fact);
    if (before !== null && latest !== null)
      for (const notice of findNotices(fact, before, latest)) noticed.push({ n: facts.length, notice });
    facts.push(fact);
    times.push(Math.max(fact.at, times.at(-1) ?? fact.at));
    if (facts.length % KEEP_EVERY === 0) kept.push(latest);
  }

  return {
    ...{ facts: facts as readonly Fact[], noticed: noticed as readonly Noticed[], add, stateAfter },
    latest: () => latest,
    /** When the n-th fact was written, by a clock that never goes back: a resumed run may begin before its last fact. */
    timeOf: (n: number): EpochMs => times[Math.max(0, Math.min(n, times.length - 1))] ?? 0,
    /** How many facts there were at that time. */
    countAt: (at: EpochMs): number => {
      let [low, high] = [0, times.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((times[middle] as EpochMs) <= at) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
