import type { EpochMs } from "../../core/facts.ts";
import type { Gap } from "../../core/select/timeline/segment.ts";

/** The time of a run as it is drawn: without the nights in which nobody drove it, or the machine slept. */
export type TimeAxis = {
  readonly lengthMs: number;
  /** How far from the start. */
  readonly offset: (at: EpochMs) => number;
  readonly at: (offset: number) => EpochMs;
};

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
