import { type AttemptId, splitAttemptId, type TaskId } from "../core/ids.ts";
import type { EndMark, TimelineSegment } from "../core/select/timeline/segment.ts";
import type { Expected, Timeline, TimelineRow } from "../core/select/timeline.ts";
import { px } from "./svg-file.ts";
import type { TimeScale } from "./timeline-scale.ts";

/** Where everything of a timeline stands, in pixels: the page and the picture in a report draw the same. */

export const ROW_HEIGHT = 24;
const BAR_HEIGHT = 14;
/** A red gate or a conflict is never too short to be seen. */
const RED_WIDTH = 11;
const LEAST_WIDTH = 0.75;
/** Room for one sign of a bar's number. */
const LABEL_CELL = 7;

/** What a bar looks like, and its height: more than one kind of segment may look alike, and a red one looks like no other. */
const HEIGHTS = {
  agent: BAR_HEIGHT,
  plait: BAR_HEIGHT,
  red: BAR_HEIGHT,
  queue: 6,
  backoff: 2,
  ready: 2,
  parked: 8,
  held: 8,
  "expected-agent": BAR_HEIGHT,
  "expected-plait": BAR_HEIGHT,
} as const;

type BarLook = keyof typeof HEIGHTS;

export type Bar = {
  readonly look: BarLook;
  readonly x: number;
  /** From the top of the row. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The number of the attempt, `+1` for a fix round; null where there is one attempt, or no room. */
  readonly label: { readonly text: string; readonly x: number } | null;
  readonly isCalledOff: boolean;
  readonly of: TimelineSegment | Expected;
  readonly attempt: AttemptId | null;
};

export type Mark = { readonly x: number; readonly end: EndMark; readonly isLast: boolean };

/** Bars and marks of one row without those outside of the scale; red ones last, since they lie on top. */
export function placeRow(
  row: TimelineRow,
  scale: TimeScale,
): { readonly bars: Bar[]; readonly marks: Mark[] } {
  const isSingle = row.row.attempts < 2;
  const labelled = new Set<AttemptId>();
  const placed = row.segments.flatMap((segment) => placeSegment(segment, scale) ?? []);
  const red = placed.filter(({ look }) => look === "red");
  const bars = placed
    .filter(({ look }) => look !== "red")
    .map((bar): Bar => {
      const text = isSingle || bar.look !== "agent" ? null : labelOf(bar.of, labelled);
      return { ...bar, label: text === null ? null : placeLabel(text, bar, red) };
    });
  const expected = row.expected.flatMap((one) => placeExpected(one, scale) ?? []);
  return { bars: [...expected, ...bars, ...red], marks: placeMarks(row, scale) };
}

/** Beside the red ones that lie on the bar: a gate that was red for a moment covers the start of the next attempt. */
function placeLabel(text: string, bar: Bar, red: readonly Bar[]): Bar["label"] {
  const end = bar.x + bar.width;
  const covered = red.filter((one) => one.x < end && one.x + one.width > bar.x);
  const x = covered.reduce((from, one) => Math.max(from, one.x + one.width + 2), bar.x + 5);
  const fits = x + text.length * LABEL_CELL + 1 <= end && bar.height >= BAR_HEIGHT;
  return fits ? { text, x } : null;
}

function labelOf({ attempt }: TimelineSegment, labelled: Set<AttemptId>): string | null {
  if (attempt === null || labelled.has(attempt)) return null;
  labelled.add(attempt);
  return `#${splitAttemptId(attempt).n}`;
}

function placeSegment(
  segment: TimelineSegment,
  scale: TimeScale,
): (Bar & { readonly of: TimelineSegment }) | null {
  const look = lookOf(segment);
  const span = clipped(scale, segment, look === "red" ? RED_WIDTH : 0);
  if (span === null) return null;
  const whole = HEIGHTS[look];
  const { at, of } = segment.lane;
  const height = of === 1 ? whole : (whole - (of - 1)) / of;
  const y = (ROW_HEIGHT - whole) / 2 + at * (height + 1);
  return {
    ...{ look, ...span, y, height, label: null },
    ...{ isCalledOff: segment.result === "called-off", of: segment, attempt: segment.attempt },
  };
}

function placeExpected(one: Expected, scale: TimeScale): Bar | null {
  const span = clipped(scale, one, 0);
  if (span === null) return null;
  const look = one.kind === "agent" ? "expected-agent" : "expected-plait";
  const y = (ROW_HEIGHT - BAR_HEIGHT) / 2;
  return { look, ...span, y, height: BAR_HEIGHT, label: null, isCalledOff: false, of: one, attempt: null };
}

function lookOf({ kind, result }: TimelineSegment): BarLook {
  if (kind === "conflict") return "red";
  if (kind === "gates" || kind === "merge") return result === "bad" ? "red" : "plait";
  return kind;
}

type Span = { readonly x: number; readonly width: number };

/** With a pixel of air behind it, so that what follows is told apart. */
function clipped(scale: TimeScale, { from, to }: { from: number; to: number }, least: number): Span | null {
  const left = scale.x(from);
  const right = Math.max(scale.x(to), left + least);
  if (right <= 0 || left >= scale.width) return null;
  const [x, end] = [Math.max(0, left), Math.min(scale.width, right)];
  const width = end - x;
  if (width < LEAST_WIDTH) return null;
  return { x, width: width > 4 ? width - 1 : width };
}

/** Behind what ended there; an end that did not last has no room for words. */
function placeMarks({ segments, ends }: TimelineRow, scale: TimeScale): Mark[] {
  return ends.flatMap((end, n): Mark[] => {
    const before = segments.filter(({ from }) => from <= end.at);
    const isRed = before.at(-1)?.result === "bad" && before.at(-1)?.kind !== "agent";
    const last = before.at(-1);
    const red = isRed && last !== undefined ? scale.x(last.from) + RED_WIDTH : Number.NEGATIVE_INFINITY;
    const x = Math.max(scale.x(end.at), red) + 9;
    return x < 0 || x > scale.width + 9 ? [] : [{ x, end, isLast: n === ends.length - 1 }];
  });
}

/** The critical path below its bars: along each row to the moment at which the next one could go on, then over to that. */
export function placePath(
  timeline: Timeline,
  scale: TimeScale,
): { readonly done: string; readonly coming: string } {
  const rowOf = new Map<TaskId, number>(timeline.rows.map(({ row }, n) => [row.task, n]));
  let done = "";
  let coming = "";
  let from: number | null = null;
  let before: number | null = null;
  for (const { task, to, isExpected } of timeline.path) {
    const n = rowOf.get(task);
    if (n === undefined) continue;
    const y = n * ROW_HEIGHT + ROW_HEIGHT / 2 + BAR_HEIGHT / 2 + 3;
    const start = from ?? scale.x(firstWork(timeline.rows[n] as TimelineRow, timeline));
    const end = Math.max(start, scale.x(to));
    const isComing = isExpected && start > scale.x(timeline.now) + 1;
    if (before !== null) {
      const link = `M${px(start)} ${before}V${y}`;
      if (isComing) coming += link;
      else done += link;
    }
    done += `M${px(start)} ${y}H${px(end)}`;
    [from, before] = [end, y];
  }
  return { done, coming };
}

function firstWork({ segments, expected }: TimelineRow, { now }: Timeline): number {
  const worked = segments.find(({ kind }) => kind === "agent" || kind === "gates");
  return worked?.from ?? expected[0]?.from ?? now;
}

/** Slots in use as a line of steps, and what is below it; `height` pixels for all of them. */
export function placeSlots(
  { slots, now, from }: Timeline,
  scale: TimeScale,
  height: number,
): { readonly line: string; readonly area: string } {
  const most = Math.max(slots.of, 1, ...slots.steps.map(({ used }) => used));
  const y = (used: number) => px(height - (used / most) * height);
  let line = `M${px(scale.x(from))} ${y(0)}`;
  for (const { at, used } of slots.steps) line += `H${px(scale.x(at))}V${y(used)}`;
  line += `H${px(scale.x(now))}`;
  return { line, area: `${line}V${height}Z` };
}
