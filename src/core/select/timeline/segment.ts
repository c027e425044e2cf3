import type { EpochMs, Fact } from "../../facts.ts";
import type { AttemptId } from "../../ids.ts";
import type { AttemptCount } from "../../run-state.ts";

/** A segment of a task's time in which one thing was the matter with it. */
export type TimelineSegment = {
  readonly kind: TimelineSegmentKind;
  readonly from: EpochMs;
  /** While it lasts, the moment that is shown; of a wait its end, which may be later. */
  readonly to: EpochMs;
  /** `called-off`: it came to nothing, and nobody's fault is in it. */
  readonly result: "under-way" | "good" | "bad" | "called-off";
  /** The one that it belongs to, or that came before it; null before the first. */
  readonly attempt: AttemptId | null;
  /** The retry or fix that the attempt is; null for waits and for a person. */
  readonly count: AttemptCount | null;
  /** Why, or with what it ended, as a clause. */
  readonly note: string | null;
  /** Attempts that ran side by side share the row. */
  readonly lane: Lane;
};

export type TimelineSegmentKind =
  /** All needs are met, and it is not started: no slot is free, or something keeps it back. */
  | "ready"
  | "agent"
  /** Its work is saved and judged. */
  | "gates"
  /** Proven, and behind others. */
  | "queue"
  /** First in the queue: its candidate is built and judged. */
  | "merge"
  /** A moment: it cannot be merged. */
  | "conflict"
  | "backoff"
  | "parked"
  /** A person is asked, or has it. */
  | "held";

export type Lane = { readonly at: number; readonly of: number };

export const WHOLE_ROW: Lane = { at: 0, of: 1 };

/** How a task came to rest, until somebody reopened it. */
export type EndMark = {
  readonly at: EpochMs;
  readonly kind: "merged" | "passed" | "failed" | "skipped" | "dropped";
  /** In a few words, for beside the mark; null where the mark says it all. */
  readonly note: string | null;
};

/** Time in which nobody drove the run, or the machine slept. */
export type Gap = { readonly from: EpochMs; readonly to: EpochMs; readonly why: "undriven" | "slept" };

/** What is left of a segment when nothing happens in the gaps. A moment stays a moment. */
export function cutByGaps<S extends Pick<Gap, "from" | "to">>(segment: S, gaps: readonly Gap[]): S[] {
  if (segment.from === segment.to) return [segment];
  const pieces: S[] = [];
  let from = segment.from;
  for (const gap of gaps) {
    if (gap.to <= from || gap.from >= segment.to) continue;
    if (gap.from > from) pieces.push({ ...segment, from, to: gap.from });
    from = Math.max(from, gap.to);
  }
  if (from < segment.to) pieces.push({ ...segment, from });
  return pieces;
}

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
