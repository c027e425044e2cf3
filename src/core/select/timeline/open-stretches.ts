import type { EpochMs } from "../../facts.ts";
import type { AttemptId } from "../../ids.ts";
import type { Task } from "../../plan.ts";
import type { TaskState } from "../../run-state.ts";
import { type Stretch, WHOLE_ROW } from "./stretch.ts";
import { type TaskRecord, waitNote } from "./task-record.ts";

/** What lasts at the moment that is shown. */
export function openStretches(record: TaskRecord, task: Task, of: TaskState, now: EpochMs): Stretch[] {
  const about = { attempt: of.past.at(-1)?.id ?? null, count: null, note: null, lane: WHOLE_ROW };
  const lasting = { ...about, to: now, result: "under-way" } as const;
  const found: Stretch[] = record.live.flatMap(({ id, count, from, endedAt }): Stretch[] => {
    const attempt = { ...lasting, attempt: id, count };
    if (endedAt === null) return [{ ...attempt, kind: "agent", from }];
    const agent: Stretch = { ...attempt, kind: "agent", from, to: endedAt, result: "good" };
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
export function inLanes(stretches: readonly Stretch[]): Stretch[] {
  const spans = attemptSpans(stretches);
  const lanes = new Map<AttemptId, Stretch["lane"]>();
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
  return stretches.map((stretch) => {
    const isWork = stretch.kind === "agent" || stretch.kind === "gates";
    const lane = isWork && stretch.attempt !== null ? lanes.get(stretch.attempt) : undefined;
    return lane === undefined || lane.of === 1 ? stretch : { ...stretch, lane };
  });
}

type Span = { readonly id: AttemptId; readonly from: EpochMs; readonly to: EpochMs };

function attemptSpans(stretches: readonly Stretch[]): Span[] {
  const spans = new Map<AttemptId, Span>();
  for (const { kind, attempt, from, to } of stretches) {
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
