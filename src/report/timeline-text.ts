import type { EpochMs } from "../core/facts.ts";
import { formatAttemptNumber, numberAttempt } from "../core/select/attempt-number.ts";
import { formatDone } from "../core/select/run-status-text.ts";
import type { EndMark, Gap, TimelineSegment, TimelineSegmentKind } from "../core/select/timeline/segment.ts";
import type { Expected, Timeline, TimelineRow } from "../core/select/timeline.ts";
import { formatSpeedUp } from "../core/select/totals.ts";
import { elapsed } from "../core/text/figures.ts";

/** What a timeline shows, as text: for tooltips, screen readers and pictures. */

type Clock = (at: EpochMs) => string;

export const STRETCH_WORDS: { readonly [K in TimelineSegmentKind]: string } = {
  // No slot is free, its agent has a limit, its group is full, or the run is paused.
  ready: "ready, not started",
  agent: "agent",
  gates: "gates",
  queue: "queued",
  merge: "merge",
  conflict: "conflict",
  backoff: "retrying",
  parked: "paused",
  held: "held",
};

const isSegment = (one: TimelineSegment | Expected): one is TimelineSegment => "result" in one;

/** `attempt #2, retry 1 of 2`; nothing for waits before the first. */
function attemptText({ attempt, count }: Pick<TimelineSegment, "attempt" | "count">): string | null {
  if (attempt === null) return null;
  return `attempt ${formatAttemptNumber(numberAttempt({ id: attempt, count }))}`;
}

/** `agent, attempt #2: 14:25:30 to 14:30:30, 5:00`. */
export function segmentText({ row }: TimelineRow, one: TimelineSegment | Expected, clock: Clock): string {
  const took = elapsed(one.to - one.from);
  if (!isSegment(one)) return `expected ${one.kind}: ${clock(one.from)} to ${clock(one.to)}, about ${took}`;
  const kind = one.kind === "agent" && row.agent === null ? "command" : STRETCH_WORDS[one.kind];
  const which = row.attempts > 1 && isWork(one) ? attemptText(one) : null;
  const what = [kind, ...(which === null ? [] : [which])].join(", ");
  return `${what}: ${when(one, took, clock)}${one.note === null ? "" : `; ${one.note}`}`;
}

const isWork = ({ kind }: TimelineSegment): boolean => kind === "agent" || kind === "gates";

function when({ kind, from, to, result }: TimelineSegment, took: string, clock: Clock): string {
  if (from === to) return clock(from);
  const isWait = kind === "parked" || kind === "backoff";
  if (result === "under-way" && isWait) return `since ${clock(from)}, until ${clock(to)}`;
  if (result === "under-way") return `since ${clock(from)}, ${took}`;
  return `${clock(from)} to ${clock(to)}, ${took}`;
}

export function endText({ kind, at, note }: EndMark, clock: Clock): string {
  return `${kind} at ${clock(at)}${note === null ? "" : `: ${note}`}`;
}

export function gapText({ from, to, why }: Gap, clock: Clock): string {
  const what = why === "slept" ? "the machine slept" : "not running";
  return `${what}: ${clock(from)} to ${clock(to)}, ${elapsed(to - from)}`;
}

/** A row as one sentence, without what took no time. */
export function rowText(row: TimelineRow, clock: Clock): string {
  const told = row.segments.filter(({ from, to, result }) => to - from >= 1_000 || result === "bad");
  const segments = told.map((one) => segmentText(row, one, clock));
  const last = row.ends.at(-1);
  return [...segments, ...(last === undefined ? [] : [endText(last, clock)])].join("; ");
}

/** `10 of 24 done, 42:18, 3:12:33 if run serially (4.6x faster)`. */
export function timelineTitle({ seen }: Timeline): string {
  const { progress, times } = seen;
  const speedUp = formatSpeedUp(times);
  return `${formatDone(progress)}, ${elapsed(times.wallMs)}${speedUp === null ? "" : `, ${speedUp}`}`;
}
