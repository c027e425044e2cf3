// What parallel-orchestra says of each task when a run is over: its words for what plait's state holds. Pure; read by the
// summary on the terminal and by the report files.

import { attemptTimes } from "../../core/attempt-times.ts";
import type { AttemptFailure, FailureReason } from "../../core/failure.ts";
import type { TaskId } from "../../core/ids.ts";
import { isResultLanded } from "../../core/landing.ts";
import type { TimeLimits } from "../../core/plan.ts";
import type { PastAttempt, RunState, TaskState } from "../../core/run-state.ts";
import { isSatisfied, taskState } from "../../core/run-tasks.ts";
import { countAttempts, countRetries, pickShownAttempt } from "../../core/select/attempt-number.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { type TaskRow, taskRows } from "../../core/select/task-rows.ts";
import { shortRef } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import { type Found, findingsOf } from "./findings.ts";

export type Status = "succeeded" | "failed" | "skipped" | "resumed";
type Category = "transient" | "permanent" | "rate_limited" | "timeout" | "none";

export type Result = {
  readonly id: string;
  readonly agent: string;
  readonly status: Status;
  readonly isTimedOut: boolean;
  readonly returncode: number | null;
  readonly durationSec: number;
  readonly retryCount: number;
  readonly category: Category;
  readonly says: AgentWords;
  /** Why it is not done, in plait's words; null where it is. */
  readonly why: string | null;
  /** What became of its work: null where there is none to be merged. */
  readonly merge: "merged" | "not_landed" | "conflict" | null;
  /** Where work lies that is not on the user's branch. */
  readonly branch: string | null;
  readonly attempts: number;
  readonly costUsd: number | null;
  readonly findings: readonly Found[];
  /** Where what it changed is saved. */
  readonly kept: string | null;
};

export type ResultsInput = {
  /** By task: the sub-agent that the manifest names. */
  readonly agents: ReadonlyMap<TaskId, string>;
  /** Tasks that were done before this call. */
  readonly resumed: ReadonlySet<TaskId>;
  /** By task: the last words of its agent. */
  readonly said: ReadonlyMap<TaskId, string>;
  /** By task: the branch of parallel-orchestra that was to be brought in. */
  readonly left: ReadonlyMap<string, string>;
};

/** In the order of the manifest. */
export function results(state: RunState, told: ResultsInput): Result[] {
  const rows = new Map(taskRows(state, state.clock, { isRunning: false }).map((row) => [row.task, row]));
  return state.index.plan.tasks.map((task, i) => {
    const { id, limits } = task;
    const of = taskState(state, i);
    const row = rows.get(id);
    const attempt = pickShownAttempt(of);
    return {
      id,
      agent: told.agents.get(id) ?? "",
      durationSec: attempt === null ? 0 : attemptTimes(attempt, attempt.settledAt).agentMs / 1000,
      retryCount: countRetries(of),
      says: agentWords(told.said.get(id) ?? ""),
      ...(isSatisfied(of.phase)
        ? doneOf(told.resumed.has(id))
        : undoneOf(of, attempt, { limits, isSkipped: row === undefined || isSkipped(row) })),
      ...placeOf(state, of),
      ...leftOf(of, told.left.get(id)),
      attempts: countAttempts(of),
      costUsd: row?.usage.costUsd ?? null,
      findings: findingsOf(attempt, task),
      kept: keptBy(attempt),
    };
  });
}

/** By task, the attempt that stands for it. */
export function pickReportedAttempts(
  state: RunState,
): { readonly task: TaskId; readonly attempt: PastAttempt }[] {
  return state.index.plan.tasks.flatMap(({ id }, i) => {
    const attempt = pickShownAttempt(taskState(state, i));
    return attempt === null ? [] : [{ task: id, attempt }];
  });
}

type Outcome = Pick<Result, "status" | "isTimedOut" | "returncode" | "category" | "why">;

function doneOf(isResumed: boolean): Outcome {
  const status = isResumed ? "resumed" : "succeeded";
  return { status, isTimedOut: false, returncode: 0, category: "none", why: null };
}

function undoneOf(
  of: TaskState,
  attempt: PastAttempt | null,
  { limits, isSkipped: isLeftOut }: { readonly limits: TimeLimits; readonly isSkipped: boolean },
): Outcome {
  const failure = failureOf(of, attempt);
  const isTimedOut = failure?.reason === "timeout";
  return {
    status: isLeftOut ? "skipped" : "failed",
    isTimedOut,
    returncode: isTimedOut ? null : codeOf(attempt, failure),
    category: failure === null ? "none" : CATEGORIES[failure.reason],
    why: failure === null ? unsaid(of) : plainText(formatFailure(failure, limits)),
  };
}

/** What was killed is not saved yet, so it has not failed either. */
function unsaid({ live }: TaskState): string {
  return live.length === 0 ? "it did not run" : "it was killed; --resume saves what it left";
}

/** Never begun: something that it needs is not there, or the run ended before. */
const isSkipped = ({ status: { kind }, attempts }: TaskRow): boolean =>
  kind === "skipped" || (attempts === 0 && kind !== "failed");

/** Recorded with its phase, or with the last attempt: also of a task that waits for its next one. */
function failureOf({ phase }: TaskState, attempt: PastAttempt | null): AttemptFailure | null {
  if (phase.kind === "failed" || phase.kind === "backoff") return phase.failure;
  return attempt?.failure ?? null;
}

/** An agent that says no has failed, whatever its exit code. */
function codeOf(attempt: PastAttempt | null, failure: AttemptFailure | null): number | null {
  const code = attempt?.ended.exit?.code ?? null;
  return code === 0 && failure?.reason === "agent-said-no" ? 1 : code;
}

/** What another try may mend is transient. */
const CATEGORIES: { readonly [R in FailureReason]: Category } = {
  "rate-limit": "rate_limited",
  "usage-limit": "rate_limited",
  overloaded: "rate_limited",
  timeout: "timeout",
  auth: "permanent",
  billing: "permanent",
  budget: "permanent",
  context: "permanent",
  rejected: "permanent",
  denied: "permanent",
  "agent-said-no": "permanent",
  conflict: "permanent",
  ownership: "permanent",
  incomplete: "permanent",
  gate: "permanent",
  network: "transient",
  "agent-error": "transient",
  crash: "transient",
  "max-turns": "transient",
  "nothing-done": "transient",
  environment: "transient",
  cancelled: "transient",
  "not-started": "transient",
  orphaned: "transient",
};

function placeOf(state: RunState, of: TaskState): Pick<Result, "merge" | "branch"> {
  const { phase } = of;
  if (phase.kind === "merged") {
    if (isResultLanded(state)) return { merge: "merged", branch: null };
    return { merge: "not_landed", branch: `plait/${state.run}/integration` };
  }
  const attempt = pickShownAttempt(of);
  const branch = keptBy(attempt);
  const failure = phase.kind === "failed" ? phase.failure : of.open?.after?.because;
  const isConflict = failure?.reason === "conflict";
  return { merge: isConflict ? "conflict" : null, branch: phase.kind === "passed" ? null : branch };
}

function keptBy(attempt: PastAttempt | null): string | null {
  return attempt?.saved.changed === true ? shortRef(attempt.saved.ref) : null;
}

/** What a branch holds that could not be brought in: another try would come to the same. */
function leftOf({ phase }: TaskState, branch: string | undefined): Partial<Result> {
  if (branch === undefined || isSatisfied(phase) || phase.kind === "skipped") return {};
  return { merge: "conflict", branch, category: "permanent" };
}

// The last line that agents of parallel-orchestra print: an object that says how it went. Nothing in it is trusted: what has not
// the form that it should have is left out.

/** Null for what is not said, or not as it should be. */
type AgentWords = {
  readonly status: string | null;
  readonly cycles: number | null;
  readonly report: string | null;
  readonly reason: string | null;
};

const NOTHING: AgentWords = { status: null, cycles: null, report: null, reason: null };
const MAX_LINE = 65_536;
const MAX_WORD = 300;

/** From the last line of a text that is not empty. */
export function agentWords(text: string): AgentWords {
  const line =
    text
      .slice(-MAX_LINE)
      .split("\n")
      .findLast((one) => one.trim() !== "") ?? "";
  const said = objectOf(line.trim());
  if (said === null) return NOTHING;
  return {
    status: word(said.status),
    cycles: typeof said.cycles === "number" && Number.isInteger(said.cycles) ? said.cycles : null,
    report: word(said.report)?.split(/[\\/]/).at(-1) || null,
    reason: word(said.reason),
  };
}

function objectOf(line: string): Partial<Record<keyof AgentWords, unknown>> | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as object;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** On one line, and without what could move a terminal's cursor. */
function word(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const clean = value.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return clean === "" ? null : clean.slice(0, MAX_WORD);
}
