import type { EpochMs, Fact } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries, get } from "../sorted-map.ts";
import type { Overview } from "./overview.ts";
import { planGraph, taskRanks } from "./preview/plan-graph.ts";
import type { TaskRow } from "./task-rows.ts";
import { type Expected, expectedOf } from "./timeline/expected.ts";
import { inLanes, openStretches } from "./timeline/open-stretches.ts";
import { type PathStep, pathSteps } from "./timeline/path-steps.ts";
import { recordFacts, type TimelineRecord } from "./timeline/record.ts";
import { type SlotsStep, slotsInUse } from "./timeline/slots-in-use.ts";
import { cutByGaps, type EndMark, type Gap, type Stretch } from "./timeline/stretch.ts";
import { NOTHING_RECORDED, type TaskRecord } from "./timeline/task-record.ts";

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
  readonly stretches: readonly Stretch[];
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
  const expected = seen.forecast === null ? new Map<TaskId, Expected[]>() : expectedOf(state, now);
  const path = pathSteps(seen, expected);
  const onPath = new Set(path.map(({ task }) => task));
  const all = new Map(
    [...entries(tasks)].map(([id, record]) => [id, stretchesOf(state, id as TaskId, { record, gaps, now })]),
  );
  const rows = seen.rows.map((row): TimelineRow => {
    const { ends } = recordOf(row.task) ?? NOTHING_RECORDED;
    return {
      row,
      stretches: all.get(row.task) ?? [],
      expected: expected.get(row.task) ?? [],
      ends: ends.map((end, n) => (n === ends.length - 1 ? withCause(state, row.task, end) : end)),
      isOnPath: onPath.has(row.task),
    };
  });
  const ordered = inOrder(rows, state);
  return {
    ...{ seen, from: state.startedAt, now, to: lastMoment(ordered, seen, now), rows: ordered, path, gaps },
    slots: { of: state.policy.slots, steps: slotsInUse([...all.values()].flat(), state.startedAt, now) },
  };
}

type Told = { readonly record: TaskRecord; readonly gaps: readonly Gap[]; readonly now: EpochMs };

function stretchesOf(state: RunState, id: TaskId, { record, gaps, now }: Told): Stretch[] {
  const i = state.index.indexOf.get(id);
  const open = i === undefined ? [] : openStretches(record, taskAt(state.index, i), taskState(state, i), now);
  const all = [...record.stretches, ...open].flatMap((stretch) => cutByGaps(stretch, gaps));
  return inLanes(all.sort((a, b) => a.from - b.from || a.to - b.to));
}

/** `tax failed` says more than that tax is needed. */
function withCause(state: RunState, id: TaskId, end: EndMark): EndMark {
  const phase = phaseOf(state, id);
  if (end.kind !== "skipped" || phase?.kind !== "skipped" || phase.because === null) return end;
  const kind = phaseOf(state, phase.because)?.kind;
  const word = kind === "cancelled" ? "dropped" : kind === "failed" || kind === "skipped" ? kind : null;
  return { ...end, note: word === null ? `needs ${phase.because}` : `${phase.because} ${word}` };
}

function phaseOf(state: RunState, id: TaskId) {
  const i = state.index.indexOf.get(id);
  return i === undefined ? null : taskState(state, i).phase;
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
function firstStart({ stretches, expected, ends }: TimelineRow): EpochMs {
  const worked = stretches.find(({ kind }) => kind === "agent" || kind === "gates");
  return worked?.from ?? ends.at(-1)?.at ?? expected[0]?.from ?? Number.MAX_SAFE_INTEGER;
}

function lastMoment(rows: readonly TimelineRow[], { forecast }: Overview, now: EpochMs): EpochMs {
  let last = Math.max(now, forecast?.readyAt ?? now);
  for (const { stretches, expected } of rows) {
    for (const { to } of stretches) last = Math.max(last, to);
    for (const { to } of expected) last = Math.max(last, to);
  }
  return last;
}
