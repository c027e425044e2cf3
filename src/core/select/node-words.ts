import type { EpochMs } from "../facts.ts";
import { isOverBudget } from "../landing.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { type Block, blockOf } from "./blocking.ts";
import { failureWord, shortFailure } from "./failure-text.ts";
import { duration } from "./preview/words.ts";
import { countdown, dollars, elapsed, ordinal } from "./run-words.ts";
import type { TaskRow } from "./task-rows.ts";

/** What a node of the graph says below its name. There is room for some twenty characters: the panel says it in full. */
export type NodeWords = {
  readonly line: string;
  /** `#2` from the second attempt on, `×2` where several work at once. */
  readonly mark: string | null;
  /** How much of its estimate has passed, from 0 to 1; null where it does not run or nobody has estimated it. */
  readonly share: number | null;
};

export type NodeLook = {
  readonly now: EpochMs;
  /** As the person who looks has it: `14:55`. */
  readonly timeOfDay: (at: EpochMs) => string;
};

export function nodeWords(state: RunState, row: TaskRow, look: NodeLook): NodeWords {
  const i = state.index.indexOf.get(row.task);
  if (i === undefined) return { line: row.shown, mark: null, share: null };
  const { phase, live } = taskState(state, i);
  const mark = live.length > 1 ? `×${live.length}` : row.attempts > 1 ? `#${row.attempts}` : null;
  return { line: lineOf({ state, row, look, i, phase }), mark, share: shareOf(state, row, i) };
}

type Source = {
  readonly state: RunState;
  readonly row: TaskRow;
  readonly look: NodeLook;
  readonly i: number;
  readonly phase: TaskPhase;
};

function lineOf(source: Source): string {
  const { row, phase } = source;
  switch (row.shown) {
    case "waiting":
      return waitingLine(source);
    case "running":
    case "fixing":
    case "merged":
      return timeAndCost(row);
    case "passed":
      return `${isReadOnly(source) ? "read-only" : "no change"}, ${elapsed(row.workMs)}`;
    case "gating":
      return gatingLine(source);
    case "queued":
      return queuedLine(source);
    case "merging":
      return row.note?.startsWith("gating") ? "gating merged" : "merging";
    case "backoff":
    case "parked":
    case "held":
    case "failed":
    case "skipped":
      return phaseLine(source, phase);
    case "cancelled":
      return "by you";
    case "stopped":
    case "cut-off":
      return phase.kind !== "queued" && isOverBudget(source.state) ? "over budget" : "with a resume";
    default:
      return row.shown;
  }
}

function phaseLine({ state, row, look, i }: Source, phase: TaskPhase): string {
  switch (phase.kind) {
    case "backoff":
      return `${failureWord(phase.failure)}, ${countdown(phase.until - look.now)}`;
    case "parked":
      return `until ${look.timeOfDay(phase.until)}`;
    case "held":
      if (row.openAt !== null) return "with you";
      return phase.proven === null ? phase.why : "approve?";
    case "failed":
      return shortFailure(phase.failure, taskAt(state.index, i).limits);
    case "skipped":
      return phase.because === null ? "not selected" : `${phase.because} ${endOf(state, phase.because)}`;
    default:
      return row.shown;
  }
}

/** What became of the task that others were skipped for. */
function endOf(state: RunState, task: TaskRow["task"]): string {
  const i = state.index.indexOf.get(task);
  return i === undefined ? "failed" : taskState(state, i).phase.kind;
}

function waitingLine({ state, row, look, i }: Source): string {
  const blocked = row.after.length > 0 ? null : shortBlock(blockOf(state, row.task, look.now), look);
  if (blocked !== null) return blocked;
  const ms = taskAt(state.index, i).estimate?.timeMs ?? null;
  if (ms !== null) return `about ${duration(ms)}`;
  const [first, ...more] = row.after;
  if (first === undefined) return "ready";
  return more.length === 0 ? `after ${first}` : `after ${first}, +${more.length}`;
}

/** Why a task that could start has not; null where it is about to. */
function shortBlock(block: Block | null, look: NodeLook): string | null {
  switch (block?.kind) {
    case "slots":
      return "for a slot";
    case "group":
      return `group ${block.group}`;
    case "account":
      return `until ${look.timeOfDay(block.until)}`;
    case "base":
      return "base first";
    case "person":
      return "for you";
    case "paused":
      return "paused";
    case "budget":
      return "over budget";
    case "stopping":
      return "with a resume";
    case "landing":
      return "landing first";
    case "saving":
      return "saving";
    default:
      return null;
  }
}

function gatingLine({ state, row, look }: Source): string {
  const block = blockOf(state, row.task, look.now);
  const [gate] = block?.kind === "gates" ? block.names : [];
  return gate === undefined ? "gates green" : `${gate} ${elapsed(row.lastsMs ?? 0)}`;
}

function queuedLine({ state, row, look }: Source): string {
  const block = blockOf(state, row.task, look.now);
  return block?.kind === "queue" ? `${ordinal(block.ahead + 1)} in queue` : "in queue";
}

const isReadOnly = ({ state, i }: Source): boolean => taskAt(state.index, i).access === "read-only";

/** Of all attempts together: `14:42 · $1.44`. */
function timeAndCost({ workMs, usage: { costUsd } }: TaskRow): string {
  return costUsd === null ? elapsed(workMs) : `${elapsed(workMs)} · ${dollars(costUsd)}`;
}

function shareOf(state: RunState, { shown, lastsMs }: TaskRow, i: number): number | null {
  const ms = taskAt(state.index, i).estimate?.timeMs ?? null;
  if ((shown !== "running" && shown !== "fixing") || ms === null || ms <= 0) return null;
  return Math.min(1, (lastsMs ?? 0) / ms);
}
