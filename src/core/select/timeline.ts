import type { EpochMs, Fact } from "../facts.ts";
import type { AttemptId, TaskId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { findTask, taskState } from "../run-tasks.ts";
import { entries, get } from "../sorted-map.ts";
import { plainText } from "../text/sentence.ts";
import { type ComingWork, comingWork, criticalWay } from "./forecast.ts";
import type { Overview } from "./overview.ts";
import { planGraph, taskRanks } from "./preview/plan-graph.ts";
import type { TaskRow } from "./task-rows.ts";
import type { TaskStatus } from "./task-status.ts";
import { formatSkipCause } from "./task-status-text.ts";
import { recordFacts, type TimelineRecord } from "./timeline/record.ts";
import { cutByGaps, type EndMark, type Gap, type TimelineSegment, WHOLE_ROW } from "./timeline/segment.ts";
import { NOTHING_RECORDED, type TaskRecord, waitNote } from "./timeline/task-record.ts";

/** What happened when, and what will: the timeline of page and report. */
export type Timeline = {
  readonly seen: Overview;
  readonly from: EpochMs;
  readonly now: EpochMs;
  /** The last moment that anything is drawn at. */
  readonly to: EpochMs;
  /** By first start, then by rank. */
  readonly rows: readonly TimelineRow[];
  /** What decides how long the run takes; first to last. */
  readonly path: readonly PathStep[];
  readonly slots: { readonly of: number; readonly steps: readonly SlotsStep[] };
  readonly gaps: readonly Gap[];
};

export type TimelineRow = {
  readonly row: TaskRow;
  readonly segments: readonly TimelineSegment[];
  readonly expected: readonly Expected[];
  /** Ends that did not last come first. */
  readonly ends: readonly EndMark[];
  readonly isOnPath: boolean;
};

/** Reads the facts once; they are those of the overview. */
export function timelineOf(facts: Iterable<Fact>, seen: Overview): Timeline {
  return timelineFrom(recordFacts(facts), seen);
}

/** For who keeps the record: what it costs depends on the plan and not on how much has happened. */
export function timelineFrom({ tasks, gaps }: TimelineRecord, seen: Overview): Timeline {
  const { state } = seen;
  const now = Math.max(seen.now, state.clock);
  const recordOf = (task: TaskId): TaskRecord | undefined => get(tasks, task as string);
  // Where nobody drives the run, nothing is to be expected of it.
  const expected = seen.forecast === null ? new Map<TaskId, Expected[]>() : forecastSegments(state, now);
  const path = pathSteps(seen, expected);
  const onPath = new Set(path.map(({ task }) => task));
  const all = new Map(
    [...entries(tasks)].map(([id, record]) => [id, segmentsOf(state, id as TaskId, { record, gaps, now })]),
  );
  const rows = seen.rows.map((row): TimelineRow => {
    const { ends } = recordOf(row.task) ?? NOTHING_RECORDED;
    return {
      row,
      segments: all.get(row.task) ?? [],
      expected: expected.get(row.task) ?? [],
      ends: ends.map((end, n) => (n === ends.length - 1 ? withCause(end, row.status) : end)),
      isOnPath: onPath.has(row.task),
    };
  });
  const ordered = inOrder(rows, state);
  return {
    ...{ seen, from: state.startedAt, now, to: lastMoment(ordered, seen, now), rows: ordered, path, gaps },
    slots: { of: state.policy.slots, steps: slotsInUse([...all.values()].flat(), state.startedAt, now) },
  };
}

type SegmentSource = { readonly record: TaskRecord; readonly gaps: readonly Gap[]; readonly now: EpochMs };

function segmentsOf(state: RunState, id: TaskId, { record, gaps, now }: SegmentSource): TimelineSegment[] {
  const i = state.index.indexOf.get(id);
  const open = i === undefined ? [] : openSegments(record, taskAt(state.index, i), taskState(state, i), now);
  const all = [...record.segments, ...open].flatMap((segment) => cutByGaps(segment, gaps));
  return inLanes(all.sort((a, b) => a.from - b.from || a.to - b.to));
}

/** `tax failed` says more than that tax is needed. */
function withCause(end: EndMark, status: TaskStatus): EndMark {
  const isKnown = end.kind === "skipped" && status.kind === "skipped" && status.because !== null;
  return isKnown ? { ...end, note: plainText(formatSkipCause(status.because)) } : end;
}

function inOrder(rows: readonly TimelineRow[], state: RunState): TimelineRow[] {
  const rank = taskRanks(planGraph(state.index.plan.tasks));
  const keyOf = (row: TimelineRow) => ({
    row,
    at: firstStart(row),
    rank: rank[state.index.indexOf.get(row.row.task) ?? 0] ?? 0,
  });
  return rows
    .map(keyOf)
    .sort((a, b) => a.at - b.at || a.rank - b.rank)
    .map(({ row }) => row);
}

/** Of what never started: when it came to its end, or is expected to start. */
function firstStart({ segments, expected, ends }: TimelineRow): EpochMs {
  const worked = segments.find(({ kind }) => kind === "agent" || kind === "gates");
  return worked?.from ?? ends.at(-1)?.at ?? expected[0]?.from ?? Number.MAX_SAFE_INTEGER;
}

function lastMoment(rows: readonly TimelineRow[], { forecast }: Overview, now: EpochMs): EpochMs {
  let last = Math.max(now, forecast?.readyAt ?? now);
  for (const { segments, expected } of rows) {
    for (const { to } of segments) last = Math.max(last, to);
    for (const { to } of expected) last = Math.max(last, to);
  }
  return last;
}

/** How many slots were in use from a moment on. */
export type SlotsStep = { readonly at: EpochMs; readonly used: number };

/** An attempt has its slot from its start until its own gates are done with it. */
function slotsInUse(segments: Iterable<TimelineSegment>, from: EpochMs, now: EpochMs): SlotsStep[] {
  const changes = new Map<EpochMs, number>([[from, 0]]);
  const change = (at: EpochMs, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const segment of segments) {
    if (segment.kind !== "agent" && segment.kind !== "gates") continue;
    change(segment.from, 1);
    if (segment.result !== "under-way" || segment.to < now) change(segment.to, -1);
  }
  const steps: SlotsStep[] = [];
  let used = 0;
  for (const [at, by] of [...changes].sort(([a], [b]) => a - b)) {
    used += by;
    if (steps.length === 0 || steps.at(-1)?.used !== used) steps.push({ at, used });
  }
  return steps;
}

/** One task of the critical path, on the axis of time. */
export type PathStep = {
  readonly task: TaskId;
  /** When the next one could go on, or will. */
  readonly to: EpochMs;
  readonly isExpected: boolean;
};

/** First to last. Where nobody can tell when something begins, the path ends with what is under way. */
function pathSteps(seen: Overview, expected: ReadonlyMap<TaskId, readonly Expected[]>): PathStep[] {
  const { behind, ahead } = criticalWay(seen);
  const { state, now } = seen;
  const isUnderWay = (task: TaskId) => (findTask(state, task)?.live.length ?? 0) > 0;
  const unknown = ahead.findIndex((task) => !expected.has(task) && !isUnderWay(task));
  const coming = unknown < 0 ? ahead : ahead.slice(0, unknown);
  return [
    ...behind.map(({ task, doneAt }) => ({ task, to: doneAt, isExpected: false })),
    ...coming.map((task) => ({ task, to: expected.get(task)?.at(-1)?.to ?? now, isExpected: true })),
  ];
}

/** What is still to come of a task, as far as the estimates are right. */
export type Expected = {
  readonly kind: "agent" | "gates" | "merge";
  readonly from: EpochMs;
  readonly to: EpochMs;
};

/** Empty where nobody knows how long tasks take. */
function forecastSegments(state: RunState, now: EpochMs): ReadonlyMap<TaskId, readonly Expected[]> {
  const coming = comingWork(state, now) ?? [];
  return new Map(coming.map((one) => [taskAt(state.index, one.i).id, boxes(one)]));
}

/** The gates are the last part of the estimate. */
function boxes({ of, from, to, gatesMs }: ComingWork): Expected[] {
  const all: Expected[] =
    of.phase.kind === "queued"
      ? [{ kind: "merge", from, to }]
      : workBoxes({ from, to }, isJudged(of) ? to - from : Math.min(gatesMs, (to - from) / 2));
  return all.filter((box) => box.to > box.from);
}

function isJudged({ live }: ComingWork["of"]): boolean {
  const stage = live[0]?.stage.kind;
  return stage === "save" || stage === "gate";
}

function workBoxes({ from, to }: Pick<ComingWork, "from" | "to">, gatesMs: number): Expected[] {
  const cut = Math.max(from, to - gatesMs);
  return [
    { kind: "agent", from, to: cut },
    { kind: "gates", from: cut, to },
  ];
}

/** What lasts at the moment that is shown. */
function openSegments(record: TaskRecord, task: Task, of: TaskState, now: EpochMs): TimelineSegment[] {
  const about = { attempt: of.past.at(-1)?.id ?? null, count: null, note: null, lane: WHOLE_ROW };
  const lasting = { ...about, to: now, result: "under-way" } as const;
  const found: TimelineSegment[] = record.live.flatMap(({ id, count, from, endedAt }): TimelineSegment[] => {
    const attempt = { ...lasting, attempt: id, count };
    if (endedAt === null) return [{ ...attempt, kind: "agent", from }];
    const agent: TimelineSegment = { ...attempt, kind: "agent", from, to: endedAt, result: "good" };
    return [agent, { ...attempt, kind: "gates", from: endedAt }];
  });
  const { phase } = of;
  const { phaseAt, headAt, readyAt } = record;
  if (readyAt !== null) found.push({ ...lasting, kind: "ready", from: readyAt });
  if (phase.kind === "queued")
    found.push({
      ...lasting,
      attempt: phase.attempt,
      kind: headAt === null ? "queue" : "merge",
      from: phaseAt,
    });
  if (phase.kind === "held") found.push({ ...lasting, kind: "held", from: phaseAt, note: phase.why });
  if (phase.kind === "backoff" || phase.kind === "parked") {
    const note = waitNote(task, phase);
    found.push({ ...lasting, kind: phase.kind, from: phaseAt, to: phase.until, note });
    if (phase.until < now) found.push({ ...lasting, kind: "ready", from: phase.until });
  }
  return found.filter(({ from, to }) => to > from);
}

/** Attempts that overlap get a lane each; all that hang together have the same number of them. */
function inLanes(segments: readonly TimelineSegment[]): TimelineSegment[] {
  const spans = attemptSpans(segments);
  const lanes = new Map<AttemptId, TimelineSegment["lane"]>();
  let together: Span[] = [];
  let until = Number.NEGATIVE_INFINITY;
  const close = () => {
    const ends: EpochMs[] = [];
    const at = together.map((span) => {
      const free = ends.findIndex((end) => end <= span.from);
      const lane = free < 0 ? ends.length : free;
      ends[lane] = span.to;
      return { id: span.id, lane };
    });
    for (const { id, lane } of at) lanes.set(id, { at: lane, of: ends.length });
    together = [];
  };
  for (const span of spans) {
    if (span.from >= until) close();
    together.push(span);
    until = Math.max(until, span.to);
  }
  close();
  return segments.map((segment) => {
    const isWork = segment.kind === "agent" || segment.kind === "gates";
    const lane = isWork && segment.attempt !== null ? lanes.get(segment.attempt) : undefined;
    return lane === undefined || lane.of === 1 ? segment : { ...segment, lane };
  });
}

type Span = { readonly id: AttemptId; readonly from: EpochMs; readonly to: EpochMs };

function attemptSpans(segments: readonly TimelineSegment[]): Span[] {
  const spans = new Map<AttemptId, Span>();
  for (const { kind, attempt, from, to } of segments) {
    if ((kind !== "agent" && kind !== "gates") || attempt === null) continue;
    const known = spans.get(attempt);
    spans.set(attempt, {
      id: attempt,
      from: Math.min(known?.from ?? from, from),
      to: Math.max(known?.to ?? to, to),
    });
  }
  return [...spans.values()].sort((a, b) => a.from - b.from);
}
