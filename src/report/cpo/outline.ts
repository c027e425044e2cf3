import type { EpochMs, Finding } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import type { AttemptId, TaskId } from "../../core/ids.ts";
import type { Plan, Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { RunState, TaskState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";
import { pickShownAttempt } from "../../core/select/attempt-number.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { type TaskRow, taskRows } from "../../core/select/task-rows.ts";
import type { StatusKind } from "../../core/select/task-status.ts";
import { formatTaskNote } from "../../core/select/task-status-text.ts";
import { plainText } from "../../core/text/sentence.ts";

/** A run as cpo tells of it: waves of tasks, each with one word. */
export type CpoNode = {
  readonly id: TaskId;
  /** What the manifest lists, what a wave is judged by, and what is installed before all of them. */
  readonly kind: "task" | "validation" | "dependencies";
  /** 0 is before the first. */
  readonly wave: number;
  readonly word: CpoWord;
  /** Why it is there; null where the word says it all. */
  readonly note: string | null;
  /** The short name of what failed: `timeout`, `exit_code_2`. Null where nothing did. */
  readonly error: string | null;
  readonly attempt: AttemptId | null;
  /** What its change has that somebody should know of: paths outside its scope, or that it may not touch. */
  readonly findings: readonly Finding[];
};

export type CpoWord =
  | "PENDING"
  | "RUNNING"
  | "RETRYING"
  | "COMPLETED"
  | "FAILED"
  | "SKIPPED"
  | "HELD"
  | "STOPPED";

export type CpoWave = {
  readonly number: number;
  readonly nodes: readonly CpoNode[];
  readonly status: "pending" | "running" | "completed" | "failed" | "skipped" | "stopped";
  /** Of those that the manifest lists. */
  readonly completed: number;
  readonly total: number;
};

/** Wave by wave, in the order of the plan. */
export function outline(state: RunState, now: EpochMs, { isRunning = true } = {}): CpoWave[] {
  const numberOf = waveNumbers(state.index.plan);
  const isOver = state.ended !== null || !isRunning;
  const nodes = taskRows(state, now, { isRunning }).map((row): CpoNode => {
    const i = state.index.indexOf.get(row.task) as number;
    const task = taskAt(state.index, i);
    return nodeOf(row, { task, wave: numberOf(task), of: taskState(state, i), isOver });
  });
  const numbers = [...new Set(nodes.map(({ wave }) => wave))].sort((a, b) => a - b);
  return numbers.map((number) => waveOf(number, nodes, isOver));
}

type About = {
  readonly task: Task;
  readonly wave: number;
  readonly of: TaskState;
  /** Nobody goes on with it now. */
  readonly isOver: boolean;
};

function nodeOf(row: TaskRow, { task, wave, of, isOver }: About): CpoNode {
  const shown = WORDS[row.status.kind];
  const word = isOver && UNDER_WAY.has(shown) ? "STOPPED" : shown;
  const failure = failureOf(of);
  const note = failure === null ? plainText(formatTaskNote(row.status)) : failedText(failure, task);
  return {
    ...{ id: task.id, kind: kindOf(task), wave, word, note: NOTED.has(word) ? note : null },
    ...{ error: errorOf(of), attempt: row.attempt, findings: pickShownAttempt(of)?.saved.findings ?? [] },
  };
}

/** A program that ended with another code than 0 is no agent that went wrong. */
export function failedText(failure: AttemptFailure, { work, limits }: Pick<Task, "work" | "limits">): string {
  const isOwn = work.kind === "command" && isOwnEnd(failure) && failure.detail.trim() !== "";
  return isOwn ? failure.detail.trim() : plainText(formatFailure(failure, limits));
}

/** A command has no wave of its own: a validation belongs to that of the tasks it needs, and what needs nothing comes before all. */
export function waveNumbers({ tasks }: Pick<Plan, "tasks">): (task: Task) => number {
  const own = new Map(tasks.map(({ id, wave }) => [id, wave ?? 0]));
  return ({ wave, needs }) => wave ?? Math.max(0, ...needs.map((id) => own.get(id) ?? 0));
}

/** Agents do what the manifest lists; a command judges a wave, or installs. */
export function kindOf({ work, access }: Pick<Task, "work" | "access">): CpoNode["kind"] {
  if (work.kind === "agent") return "task";
  return access === "read-only" ? "validation" : "dependencies";
}

const WORDS: { readonly [S in StatusKind]: CpoWord } = {
  waiting: "PENDING",
  preparing: "RUNNING",
  running: "RUNNING",
  fixing: "RUNNING",
  saving: "RUNNING",
  checking: "RUNNING",
  queued: "RUNNING",
  merging: "RUNNING",
  retrying: "RETRYING",
  paused: "RETRYING",
  held: "HELD",
  stopped: "STOPPED",
  interrupted: "STOPPED",
  merged: "COMPLETED",
  passed: "COMPLETED",
  failed: "FAILED",
  skipped: "SKIPPED",
  dropped: "SKIPPED",
};

const NOTED: ReadonlySet<CpoWord> = new Set(["RETRYING", "HELD", "FAILED", "SKIPPED"]);

const UNDER_WAY: ReadonlySet<CpoWord> = new Set(["RUNNING", "RETRYING"]);

const SETTLED: ReadonlySet<CpoWord> = new Set(["COMPLETED", "FAILED", "SKIPPED", "HELD", "STOPPED"]);

function waveOf(number: number, all: readonly CpoNode[], isOver: boolean): CpoWave {
  const nodes = all.filter(({ wave }) => wave === number);
  const listed = nodes.filter(({ kind }) => kind === "task");
  const completed = listed.filter(({ word }) => word === "COMPLETED").length;
  return { number, nodes, status: statusOf(nodes, isOver), completed, total: listed.length };
}

function statusOf(nodes: readonly CpoNode[], isOver: boolean): CpoWave["status"] {
  const all = (word: CpoWord) => nodes.every((node) => node.word === word);
  const some = (word: CpoWord) => nodes.some((node) => node.word === word);
  if (all("COMPLETED")) return "completed";
  if (all("PENDING")) return "pending";
  if (all("SKIPPED")) return "skipped";
  if (!isOver && !nodes.every(({ word }) => SETTLED.has(word))) return "running";
  return !some("FAILED") && (some("STOPPED") || some("PENDING")) ? "stopped" : "failed";
}

/** As scripts know it: the code of the program that ended by itself, else the reason. */
function errorOf(of: TaskState): string | null {
  const { phase, past } = of;
  const failure = failureOf(of);
  if (failure === null) return phase.kind === "parked" ? snake(phase.why) : null;
  const code = past.at(-1)?.ended.exit?.code ?? 0;
  return isOwnEnd(failure) && code !== 0 ? `exit_code_${code}` : snake(failure.reason);
}

function failureOf({ phase }: TaskState): AttemptFailure | null {
  return phase.kind === "failed" || phase.kind === "backoff" ? phase.failure : null;
}

const isOwnEnd = ({ reason }: AttemptFailure): boolean => reason === "crash" || reason === "agent-error";

const snake = (word: string): string => word.replaceAll("-", "_");

/** Figures of the whole: only what the manifest lists counts. */
export function figuresOf(waves: readonly CpoWave[]) {
  const listed = waves.flatMap(({ nodes }) => nodes.filter(({ kind }) => kind === "task"));
  const of = (...words: readonly CpoWord[]) => listed.filter(({ word }) => words.includes(word)).length;
  return {
    total: listed.length,
    completed: of("COMPLETED"),
    failed: of("FAILED"),
    skipped: of("SKIPPED"),
    // What comes before the waves is none.
    wavesFailed: waves.filter(({ number, status }) => number > 0 && status === "failed").length,
  };
}
