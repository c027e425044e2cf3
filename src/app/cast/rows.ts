// What CAST's database is told of a run: one row an event, one row an attempt. Columns that an installation does not have are
// left out by who writes the rows.

import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { splitAttemptId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { RunState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";

export type CastTable = "routing_events" | "agent_runs";

export type CastRow = {
  readonly table: CastTable;
  readonly values: { readonly [column: string]: string | number | null };
};

export type CastEvent =
  | "parallel_start"
  | "parallel_streams_done"
  | "parallel_complete"
  | "parallel_fail"
  | "parallel_merge_conflict";

export type EventInput = {
  readonly event: CastEvent;
  readonly message: string;
  readonly at: EpochMs;
  readonly run: string;
  readonly project: string;
  readonly data: { readonly [key: string]: unknown };
};

const PREVIEW = 80;

export function eventRow({ event, message, at, run, project, data }: EventInput): CastRow {
  return {
    table: "routing_events",
    values: {
      session_id: run,
      timestamp: utc(at),
      prompt_preview: message.slice(0, PREVIEW),
      action: event,
      project,
      event_type: event,
      data: JSON.stringify({ message, run, ...data }),
    },
  };
}

type Ended = Extract<Fact, { type: "attempt.ended" }>;

const SUMMARY = 200;

/** `batches` by task: which of the plan's a task is about. */
export function attemptRow(
  fact: Ended,
  state: RunState,
  { project, batches }: { readonly project: string; readonly batches: ReadonlyMap<string, string> },
): CastRow | null {
  const { task: id, n } = splitAttemptId(fact.attempt);
  const i = state.index.indexOf.get(id);
  if (i === undefined) return null;
  const task = taskAt(state.index, i);
  const { live, past } = taskState(state, i);
  const begun = [...live, ...past].find((one) => one.id === fact.attempt)?.startedAt ?? null;
  const batch = batches.get(id) ?? null;
  return {
    table: "agent_runs",
    values: {
      // Refers to a row of `sessions`, and a run of plait has none; agent_id names the run.
      session_id: null,
      ...agentOf(task),
      started_at: begun === null ? null : utc(begun),
      ended_at: utc(fact.at),
      status: statusOf(fact.failure, fact.denials),
      input_tokens: fact.usage.inputTokens,
      output_tokens: fact.usage.outputTokens,
      cost_usd: fact.usage.costUsd,
      task_summary: `${batch === null ? "" : `[batch-${batch}] `}${(task.title ?? id).slice(0, SUMMARY)}`,
      project,
      agent_id: `${state.run}/${id}/${n}`,
      batch_id: batchNumber(batch),
    },
  };
}

function agentOf({ id, work }: Task): { agent: string; model: string | null } {
  if (work.kind !== "agent") return { agent: id, model: null };
  return { agent: work.agent.name ?? id, model: work.agent.model };
}

/** In the words that the column takes. */
export function statusOf(failure: AttemptFailure | null, denials: readonly string[]): string {
  if (failure?.reason === "agent-said-no") return "BLOCKED";
  if (failure !== null) return "failed";
  return denials.length > 0 ? "DONE_WITH_CONCERNS" : "DONE";
}

/** A column of numbers: the first of several batches, and none where ids are words. */
export function batchNumber(batches: string | null): number | null {
  const first = batches?.split(",")[0] ?? "";
  return /^\d{1,15}$/.test(first) ? Number(first) : null;
}

/** As CAST's own tools write it. */
const utc = (at: EpochMs): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
