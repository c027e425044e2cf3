import type { AccountLimitReason, EpochMs } from "../facts.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { count, countdown, dollars, elapsed, duration as formatDuration, ordinal } from "../text/figures.ts";
import { isEmpty, listing, name, path, plainText, type Sentence, sentence, task } from "../text/sentence.ts";
import type { Block } from "./blocking.ts";
import {
  endsByCheck,
  formatFailure,
  formatFailureShort,
  formatFailureWord,
  formatLimit,
} from "./failure-text.ts";
import type { TaskRow } from "./task-rows.ts";
import type { SkipCause, TaskStatus, Trial } from "./task-status.ts";

/** `waiting for a slot, all 4 in use`, `skipped: tax failed`, `checking, test:unit, gate 2 of 3`. */
export function formatTaskStatus(status: TaskStatus): Sentence {
  const note = formatTaskNote(status);
  if (isEmpty(note)) return status.kind;
  return sentence`${status.kind}${JOINTS[status.kind] ?? ", "}${note}`;
}

const JOINTS: { readonly [K in TaskStatus["kind"]]?: string } = {
  waiting: " ",
  retrying: ": ",
  paused: ": ",
  held: ": ",
  failed: ": ",
  skipped: ": ",
  dropped: " ",
};

/** What stands behind the word; empty where that says it all. */
export function formatTaskNote(status: TaskStatus): Sentence {
  switch (status.kind) {
    case "waiting":
      return status.block === null ? "" : sentence`for ${formatBlock(status.block, status.agent)}`;
    case "preparing":
      return status.reason ?? "";
    case "running":
    case "fixing":
    case "saving":
      return status.isStopping ? "stopping" : "";
    case "checking":
      return formatChecking(status);
    case "queued":
      return status.isBaseFirst
        ? BASE_FIRST
        : sentence`${ordinal(status.place)} in line${formatAhead(status.ahead)}`;
    case "merging":
      return status.isBaseFirst ? BASE_FIRST : formatMerging(status.trial);
    case "retrying":
    case "failed":
      return formatFailure(status.failure, status.limits);
    case "paused":
      return formatLimit(status.agent, status.reason);
    case "held":
      return formatHeld(status);
    case "skipped":
      return formatSkipCause(status.because);
    case "dropped":
      return "by you";
    case "stopped":
    case "interrupted":
      if (status.isOverBudget) return "needs a larger budget";
      if (status.isQueued) return "queued, continues on resume";
      return status.isContinued ? "continues on resume" : "runs again on resume";
    default:
      return "";
  }
}

/** Behind `skipped`: `tax failed`. */
export function formatSkipCause(because: SkipCause | null): Sentence {
  return because === null ? "not selected" : sentence`${task(because.task)} ${because.kind}`;
}

const BASE_FIRST = "waiting for the base check";

function formatChecking({ gate, isBaseFirst }: Extract<TaskStatus, { kind: "checking" }>): Sentence {
  if (isBaseFirst) return BASE_FIRST;
  return gate === null ? "" : sentence`${name(gate.name)}, gate ${gate.n} of ${gate.of}`;
}

function formatAhead(ahead: Trial | null): Sentence {
  if (ahead === null) return "";
  if (ahead.isRed) return ", red so far";
  const [gate] = ahead.gates;
  return gate === undefined ? ", already green" : sentence`, already checking ${name(gate)}`;
}

function formatMerging(trial: Trial | null): Sentence {
  if (trial === null) return "";
  const { gates, tasks } = trial;
  const [gate] = gates;
  const together = tasks > 1 ? ` on ${tasks} tasks merged together` : "";
  if (gate === undefined) return `every gate is green${together}`;
  const more = gates.length > 1 ? ` and ${count(gates.length - 1, "more gate")}` : "";
  return sentence`running ${name(gate)}${more}${together}`;
}

function formatHeld({ reason, open, limits }: Extract<TaskStatus, { kind: "held" }>): Sentence {
  if (open === null) return reason;
  const where =
    open.worktree === null
      ? "preparing its worktree for you"
      : sentence`its worktree is open at ${path(open.worktree)}`;
  const because = open.after?.because ?? null;
  return because === null ? where : sentence`${formatFailure(because, limits)}; ${where}`;
}

/** What a task with nothing else to do waits for. */
export function formatBlock(block: Block, agent: string | null = null): Sentence {
  switch (block.kind) {
    case "needs":
      return listing(block.tasks.map(task), 3);
    case "slots":
      return `a free slot (${block.of} of ${block.of} in use)`;
    case "group":
      return sentence`room in group ${name(block.group)}, max ${block.max}`;
    case "account":
      return formatAccountWait(agent ?? "the account", block.why);
    case "person":
      return sentence`you: ${block.why}`;
    case "gates":
      return listing(block.names.map(name), 3);
    case "queue":
      return `${block.ahead} ahead in the queue`;
    default:
      return BLOCKS[block.kind];
  }
}

const BLOCKS = {
  base: "the base check",
  saving: "its last attempt to be saved",
  landing: "the landing",
  paused: "the run to continue",
  stopping: "a resume: the run is stopping",
  budget: "a larger budget",
  retry: "its retry",
} as const;

function formatAccountWait(agent: string, why: AccountLimitReason): Sentence {
  switch (why) {
    case "auth":
      return sentence`you to log in to ${name(agent)}`;
    case "billing":
      return sentence`the billing of ${name(agent)}`;
    case "network":
      return sentence`a connection to ${name(agent)}`;
    case "overloaded":
      return sentence`${name(agent)} to recover`;
    default:
      return sentence`the ${formatLimit(agent, why)}`;
  }
}

export type LineLook = {
  readonly now: EpochMs;
  /** As the person who looks has it: `14:55`. */
  readonly timeOfDay: (at: EpochMs) => string;
  /** Null where the plan has no estimate. */
  readonly estimateMs: number | null;
};

/** Below the name of a node in the graph, where there is room for some twenty characters. */
function formatTaskLine(row: TaskRow, look: LineLook): string {
  const { status, lastsMs } = row;
  const { now, timeOfDay } = look;
  switch (status.kind) {
    case "waiting":
      return formatWaitingLine(status.block, look);
    case "running":
    case "fixing":
    case "merged":
      return formatTimeAndCost(row);
    case "passed":
      return `${status.isReadOnly ? "read-only" : "no change"}, ${elapsed(row.workMs)}`;
    case "checking":
      return status.gate === null ? "gates green" : `${status.gate.name} ${elapsed(lastsMs ?? 0)}`;
    case "queued":
      return status.isBaseFirst ? "queued" : `${ordinal(status.place)} in queue`;
    case "merging":
      return (status.trial?.gates.length ?? 0) > 0 ? "checking merged" : "merging";
    case "retrying":
      return `${formatFailureWord(status.failure)}, ${countdown(status.until - now)}`;
    case "paused":
      if (status.until === null) return "paused";
      return `${endsByCheck(status.reason) ? "check" : "until"} ${timeOfDay(status.until)}`;
    case "held":
      if (status.open !== null) return "open";
      return status.isChecked ? "approve?" : status.reason;
    case "failed":
      return formatFailureShort(status.failure, status.limits);
    case "skipped":
      return plainText(formatSkipCause(status.because));
    case "dropped":
      return "dropped by you";
    case "stopped":
    case "interrupted":
      return status.isOverBudget ? "over budget" : "after a resume";
    default:
      return status.kind;
  }
}

function formatWaitingLine(block: Block | null, { now, timeOfDay, estimateMs }: LineLook): string {
  if (block !== null && block.kind !== "needs") {
    if (block.kind !== "account") return SHORT_BLOCKS[block.kind] ?? block.kind;
    return block.until > now ? `until ${timeOfDay(block.until)}` : "checking account";
  }
  if (estimateMs !== null) return `about ${formatDuration(estimateMs)}`;
  const [first, ...more] = block?.tasks ?? [];
  if (first === undefined) return "ready";
  return more.length === 0 ? `after ${first}` : `after ${first}, +${more.length}`;
}

const SHORT_BLOCKS: { readonly [K in Block["kind"]]?: string } = {
  slots: "for a slot",
  group: "for its group",
  base: "base check first",
  person: "needs you",
  paused: "paused",
  budget: "over budget",
  stopping: "after a resume",
  landing: "landing first",
  saving: "saving",
};

/** Of all attempts together: `14:42 · $1.44`. */
function formatTimeAndCost({ workMs, usage: { costUsd } }: TaskRow): string {
  return costUsd === null ? elapsed(workMs) : `${elapsed(workMs)} · ${dollars(costUsd)}`;
}

/** A node of the graph, below its name: the panel says it in full. */
export type NodeText = {
  readonly line: string;
  /** `#2` from the second attempt on, `×2` where several race. */
  readonly mark: string | null;
  /** How much of its estimate has passed, from 0 to 1; null where it does not run or has no estimate. */
  readonly share: number | null;
};

export type NodeLook = Pick<LineLook, "timeOfDay"> & { readonly now: EpochMs };

export function formatNode(state: RunState, row: TaskRow, look: NodeLook): NodeText {
  const i = state.index.indexOf.get(row.task);
  if (i === undefined) return { line: row.status.kind, mark: null, share: null };
  const { live } = taskState(state, i);
  const mark = live.length > 1 ? `×${live.length}` : row.attempts > 1 ? `#${row.attempts}` : null;
  const estimateMs = taskAt(state.index, i).estimate?.timeMs ?? null;
  return { line: formatTaskLine(row, { ...look, estimateMs }), mark, share: findShare(row, estimateMs) };
}

function findShare({ actor, lastsMs }: TaskRow, ms: number | null): number | null {
  return actor !== "agents" || ms === null || ms <= 0 ? null : Math.min(1, (lastsMs ?? 0) / ms);
}
