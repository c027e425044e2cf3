import type { EpochMs } from "../../facts.ts";
import type { AttemptFailure } from "../../failure.ts";
import type { AttemptId } from "../../ids.ts";
import type { Task } from "../../plan.ts";
import { hasProcess } from "../../queries.ts";
import type { AttemptCount, LiveAttempt, TaskPhase, TaskState } from "../../run-state.ts";
import { plainText } from "../../text/sentence.ts";
import { formatFailure, formatFailureShort, formatLimit } from "../failure-text.ts";
import { type EndMark, type Gap, type TimelineSegment, WHOLE_ROW } from "./segment.ts";

/** One task of a timeline: what is over, and since when the rest lasts. */
export type TaskRecord = {
  readonly segments: readonly TimelineSegment[];
  readonly ends: readonly EndMark[];
  readonly live: readonly LiveRecord[];
  /** Since when it is in its phase. */
  readonly phaseAt: EpochMs;
  /** Since when it could start; null while it could not. */
  readonly readyAt: EpochMs | null;
  /** Since when it is first in the queue. */
  readonly headAt: EpochMs | null;
};

type LiveRecord = {
  readonly id: AttemptId;
  readonly count: AttemptCount | null;
  readonly from: EpochMs;
  /** When its program ended; null while it works. */
  readonly endedAt: EpochMs | null;
};

export const NOTHING_RECORDED: TaskRecord = {
  ...{ segments: [], ends: [], live: [] },
  ...{ phaseAt: 0, readyAt: null, headAt: null },
};

/** What one fact did to one task. */
export type TaskChange = {
  readonly task: Task;
  /** Null when it has just come into the plan. */
  readonly was: TaskState | null;
  readonly is: TaskState;
  readonly at: EpochMs;
  readonly gaps: readonly Gap[];
  readonly isInHead: boolean;
};

export function recordTask(record: TaskRecord, change: TaskChange): TaskRecord {
  return withReady(withPhase(withAttempts(record, change), change), change);
}

function withAttempts(record: TaskRecord, { was, is, at, gaps }: TaskChange): TaskRecord {
  if (was?.live === is.live || (is.live.length === 0 && record.live.length === 0)) return record;
  const known = new Map(record.live.map((one) => [one.id, one]));
  const live = is.live.map((attempt) => followed(known.get(attempt.id), attempt, { at, gaps }));
  const still = new Set(live.map(({ id }) => id));
  const over = record.live.filter(({ id }) => !still.has(id));
  const closed = over.flatMap((one) => closedAttempt(one, is, at));
  return { ...record, live, segments: [...record.segments, ...closed] };
}

type When = { readonly at: EpochMs; readonly gaps: readonly Gap[] };

function followed(known: LiveRecord | undefined, attempt: LiveAttempt, { at, gaps }: When): LiveRecord {
  const one = known ?? { id: attempt.id, count: attempt.count, from: at, endedAt: null };
  if (one.endedAt !== null || hasProcess(attempt)) return one;
  // No program outlives its driver: what the next one finds dead ended with the last.
  const died = gaps.findLast(({ why, from }) => why === "undriven" && from >= one.from);
  return { ...one, endedAt: died?.from ?? at };
}

function closedAttempt(
  { id, count, from, endedAt }: LiveRecord,
  { past }: TaskState,
  at: EpochMs,
): TimelineSegment[] {
  const attempt = past.findLast((one) => one.id === id);
  const ended = attempt?.ended.failure ?? null;
  const about = { attempt: id, count, lane: WHOLE_ROW };
  const to = Math.max(from, endedAt ?? at);
  const agent: TimelineSegment = { ...about, kind: "agent", from, to, ...resultOf(ended) };
  const settled = Math.max(to, at);
  const gates: TimelineSegment = {
    ...about,
    kind: "gates",
    from: to,
    to: settled,
    ...resultOf(attempt?.failure ?? null),
  };
  return [...(to > from ? [agent] : []), ...(ended === null ? [gates] : [])];
}

function resultOf(failure: AttemptFailure | null): Pick<TimelineSegment, "result" | "note"> {
  if (failure === null) return { result: "good", note: null };
  return {
    result: failure.reason === "cancelled" ? "called-off" : "bad",
    note: plainText(formatFailure(failure)),
  };
}

function withPhase(record: TaskRecord, change: TaskChange): TaskRecord {
  const { task, was, is, at, isInHead } = change;
  const entered = isInHead && is.phase.kind === "queued" ? (record.headAt ?? at) : null;
  const isSame = was !== null && was.phase.kind === is.phase.kind;
  if (isSame && entered === record.headAt) return record;
  const left = was === null ? [] : leftPhase(record, was, change);
  const end = isSame ? null : endMark(task, is, at);
  return {
    ...record,
    segments: [...record.segments, ...left],
    ends: end === null ? record.ends : [...record.ends, end],
    phaseAt: at,
    headAt: entered,
  };
}

/** What the phase was, when it is over. */
function leftPhase(
  { phaseAt, headAt }: TaskRecord,
  was: TaskState,
  { task, is, at }: TaskChange,
): TimelineSegment[] {
  const { phase } = was;
  const about = { attempt: was.past.at(-1)?.id ?? null, count: null, lane: WHOLE_ROW };
  if (phase.kind === "backoff" || phase.kind === "parked") {
    const over = Math.max(phaseAt, Math.min(phase.until, at));
    const wait = {
      ...about,
      kind: phase.kind,
      from: phaseAt,
      to: over,
      result: "good",
      note: waitNote(task, phase),
    } as const;
    const ready = { ...about, kind: "ready", from: over, to: at, result: "good", note: null } as const;
    return [wait, ready].filter(({ from, to }) => to > from);
  }
  const since = { ...about, from: Math.min(phaseAt, at), to: at };
  if (phase.kind === "held") return [{ ...since, kind: "held", result: "good", note: phase.why }];
  if (phase.kind !== "queued") return [];
  const failure = is.past.find(({ id }) => id === phase.attempt)?.failure ?? null;
  const turn = { ...since, attempt: phase.attempt };
  if (headAt !== null) return [{ ...turn, kind: "merge", ...mergeResult(is, failure) }];
  const queue: TimelineSegment = { ...turn, kind: "queue", result: "good", note: null };
  if (failure === null || is.phase.kind === "queued") return [queue];
  return [queue, { ...turn, from: at, kind: "conflict", ...resultOf(failure) }];
}

/** Back in the queue, or taken out of it by a person: nothing was wrong with it. */
function mergeResult(
  { phase }: TaskState,
  failure: AttemptFailure | null,
): Pick<TimelineSegment, "result" | "note"> {
  if (phase.kind !== "queued" && failure !== null) return resultOf(failure);
  return { result: phase.kind === "merged" ? "good" : "called-off", note: null };
}

export function waitNote(task: Task, phase: Extract<TaskPhase, { kind: "backoff" | "parked" }>): string {
  if (phase.kind === "backoff") return plainText(formatFailure(phase.failure, task.limits));
  return plainText(formatLimit(task.work.kind === "agent" ? task.work.agent.use : null, phase.why));
}

function endMark(task: Task, { phase }: TaskState, at: EpochMs): EndMark | null {
  switch (phase.kind) {
    case "merged":
    case "passed":
      return { at, kind: phase.kind, note: null };
    case "cancelled":
      return { at, kind: "dropped", note: null };
    case "failed":
      return { at, kind: "failed", note: formatFailureShort(phase.failure, task.limits) };
    case "skipped":
      return phase.because === null ? null : { at, kind: "skipped", note: `needs ${phase.because}` };
    default:
      return null;
  }
}

function withReady(record: TaskRecord, { is, at }: TaskChange): TaskRecord {
  const isReady = is.phase.kind === "waiting" && is.unmet === 0 && is.open === null && is.live.length === 0;
  if (isReady) return record.readyAt === null ? { ...record, readyAt: at } : record;
  if (record.readyAt === null) return record;
  const waited = { kind: "ready", from: record.readyAt, to: at, result: "good", note: null } as const;
  const segment: TimelineSegment = {
    ...waited,
    attempt: is.past.at(-1)?.id ?? null,
    count: null,
    lane: WHOLE_ROW,
  };
  const segments = at > record.readyAt ? [...record.segments, segment] : record.segments;
  return { ...record, readyAt: null, segments };
}
