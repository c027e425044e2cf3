import type { EpochMs } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";

/** The blocks around the output of an attempt in the log of its task. */
const RULE = "=".repeat(64);

export type LogHead = {
  readonly task: string;
  readonly run: string;
  readonly attempt: number;
  readonly startedAt: EpochMs;
  readonly worktree: string;
  /** The file that the prompt came from, or what is run. */
  readonly work: { readonly prompt: string } | { readonly command: string };
};

/** The line by which an attempt is found again in the log of its task: part of the format of the file. */
export const formatAttemptLine = (run: string, attempt: number): string => `Run: ${run}, attempt ${attempt}`;

export function logHead({ task, run, attempt, startedAt, worktree, work }: LogHead): string {
  return block([
    `Task: ${task}`,
    formatAttemptLine(run, attempt),
    `Started: ${timeText(startedAt)}`,
    `Worktree: ${worktree}`,
    "prompt" in work ? `Prompt: ${work.prompt}` : `Command: ${work.command}`,
  ]);
}

export type LogFoot = {
  readonly endedAt: EpochMs;
  readonly commits: number;
  readonly failure: AttemptFailure | null;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  /** The failure in words. */
  readonly why: string;
};

export function logFoot({ endedAt, commits, failure, exit, why }: LogFoot): string {
  if (failure === null) return block([`Completed: ${timeText(endedAt)}`, `Commits: ${commits}`]);
  return block([`FAILED: ${timeText(endedAt)}`, `Error: ${why}`, `Exit code: ${exitText(failure, exit)}`]);
}

/** The code of the program `timeout`, which scripts look for. */
const TIMED_OUT = "124";

function exitText({ reason }: AttemptFailure, exit: LogFoot["exit"]): string {
  if (reason === "timeout") return `${TIMED_OUT} (error=timeout)`;
  return String(exit?.code ?? exit?.signal ?? "none");
}

function block(lines: readonly string[]): string {
  return `${[RULE, ...lines.map(oneLine), RULE].join("\n")}\n`;
}

/** A block has one line a field, whatever stands in it. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");

export const timeText = (at: EpochMs): string => new Date(at).toISOString();
