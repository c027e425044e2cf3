import type { EpochMs, Fact } from "../../core/facts.ts";

/** The time of a run as it is drawn: without the nights in which nobody drove it, or the machine slept. */
export type TimeAxis = {
  readonly lengthMs: number;
  /** How far from the start. */
  readonly offset: (at: EpochMs) => number;
  readonly at: (offset: number) => EpochMs;
};

type Gap = { readonly from: EpochMs; readonly to: EpochMs };

export function timeAxis(gaps: readonly Gap[], start: EpochMs, end: EpochMs): TimeAxis {
  const offset = (at: EpochMs): number => {
    const bounded = Math.max(start, Math.min(at, end));
    return gaps.reduce((sum, { from, to }) => sum - overlap(from, to, bounded), bounded - start);
  };
  const at = (from: number): EpochMs => {
    let time = start + from;
    for (const gap of gaps) if (time > gap.from) time += gap.to - gap.from;
    return Math.min(time, end);
  };
  return { lengthMs: offset(end), offset, at };
}

const overlap = (from: EpochMs, to: EpochMs, at: EpochMs): number => Math.max(0, Math.min(to, at) - from);

/** Oldest first, none inside another. A clock that was set back makes no gap. */
export function gapsOf(facts: readonly Fact[]): Gap[] {
  const gaps: Gap[] = [];
  let last = facts[0]?.at ?? 0;
  for (const fact of facts) {
    const from = fact.type === "run.slept" ? Math.max(last, fact.from) : last;
    const isGap = fact.type === "run.resumed" || fact.type === "run.slept";
    if (isGap && fact.at > from) gaps.push({ from, to: fact.at });
    last = Math.max(last, fact.at);
  }
  return gaps;
}
