import type { EpochMs } from "../facts.ts";
import type { AttemptId, TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { LiveAttempt, PastAttempt, RunState, TaskState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

/** What happened when: one bar for each stretch of each task, for the timeline of page, terminal and report. */
export type Bar = {
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly kind: "agent" | "gates" | "queue";
  readonly from: EpochMs;
  /** Null while it lasts. */
  readonly to: EpochMs | null;
  readonly result: "under-way" | "good" | "bad";
};

export function timeline(state: RunState): Bar[] {
  const bars: Bar[] = [];
  for (const [i, task] of entries(state.tasks)) {
    const { id } = taskAt(state.index, i);
    for (const attempt of task.past) bars.push(...pastBars(id, attempt));
    for (const attempt of task.live) bars.push(...liveBars(id, attempt));
    bars.push(...queueBar(id, task));
  }
  return bars.sort((a, b) => a.from - b.from);
}

function pastBars(task: TaskId, { id, startedAt, ended, settledAt, failure }: PastAttempt): Bar[] {
  const agent: Bar = {
    task,
    attempt: id,
    kind: "agent",
    from: startedAt,
    to: ended.at,
    result: ended.failure === null ? "good" : "bad",
  };
  if (ended.failure !== null) return [agent];
  const result = failure === null ? "good" : "bad";
  return [agent, { task, attempt: id, kind: "gates", from: ended.at, to: settledAt, result }];
}

function liveBars(task: TaskId, { id, startedAt, stage }: LiveAttempt): Bar[] {
  const isRunning = stage.kind === "prepare" || stage.kind === "run";
  const agent: Bar = {
    task,
    attempt: id,
    kind: "agent",
    from: startedAt,
    to: isRunning ? null : stage.ended.at,
    result: isRunning ? "under-way" : stage.ended.failure === null ? "good" : "bad",
  };
  if (isRunning) return [agent];
  return [agent, { task, attempt: id, kind: "gates", from: stage.ended.at, to: null, result: "under-way" }];
}

function queueBar(task: TaskId, { phase, past }: TaskState): Bar[] {
  if (phase.kind === "queued") {
    const { attempt, since } = phase;
    return [{ task, attempt, kind: "queue", from: since, to: null, result: "under-way" }];
  }
  const merged = phase.kind === "merged" ? past.find(({ id }) => id === phase.attempt) : undefined;
  if (phase.kind !== "merged" || merged === undefined) return [];
  return [{ task, attempt: merged.id, kind: "queue", from: merged.settledAt, to: phase.at, result: "good" }];
}
