import type { EpochMs, Fact } from "../../facts.ts";
import type { Gap } from "./stretch.ts";

/** What the facts before say about the time. */
type Clock = { readonly startedAt: EpochMs; readonly clock: EpochMs };

/** With the time in which nobody drove the run before this fact, or in which the machine slept. */
export function withGap(gaps: readonly Gap[], fact: Fact, before: Clock | null): readonly Gap[] {
  const gap = gapOf(fact, before);
  return gap === null || gap.to <= gap.from ? gaps : [...gaps, gap];
}

/** A clock that was set back between two drivers leaves none. */
function gapOf(fact: Fact, before: Clock | null): Gap | null {
  if (before === null) return null;
  const from = (at: EpochMs): EpochMs => Math.max(before.startedAt, at);
  if (fact.type === "run.resumed") return { from: from(before.clock), to: fact.at, why: "undriven" };
  return fact.type === "run.slept" ? { from: from(fact.from), to: fact.at, why: "slept" } : null;
}

/** For who needs nothing else of a record. */
export function gapsOf(facts: Iterable<Fact>): readonly Gap[] {
  let gaps: readonly Gap[] = [];
  let before: Clock | null = null;
  for (const fact of facts) {
    gaps = withGap(gaps, fact, before);
    before = after(before, fact);
  }
  return gaps;
}

/** Time never runs backwards inside a run; a new driver sets it anew. */
function after(before: Clock | null, { type, at }: Fact): Clock {
  if (before === null) return { startedAt: at, clock: at };
  return { ...before, clock: type === "run.resumed" ? at : Math.max(before.clock, at) };
}
