// What a run comes to in the exit codes of parallel-orchestra. Pure.

import type { RunState } from "../../../core/run-state.ts";
import { progress } from "../../../core/select/progress.ts";
import type { EndedStatus } from "../../../core/select/run-status.ts";
import { formatRefusedMove } from "../../../core/select/run-status-text.ts";
import { openTasks, type TheirTask } from "../../../core/select/task-lists.ts";
import { formatCommand, forRun, plait } from "../../../core/text/command.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import type { Result } from "../../../report/parallel-orchestra/results.ts";
import type { Driven } from "../../drive.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";

/** A red base commit and steps that failed are 3 only where they are told as errors; a complete run's report may be missing. */
export function addErrors({ status: { exit }, signal }: Driven, hasErrors: boolean): ExitCode {
  if (exit !== exitCodes.ok && signal !== null) return signal;
  if (hasErrors) return exitCodes.badEnvironment;
  return exit === exitCodes.ok ? exit : exitCodes.incomplete;
}

/** A message, and what to type. */
export type RunnerError = readonly [message: string, ...hints: string[]];

export type ToTell = {
  readonly state: RunState;
  readonly results: readonly Result[];
  readonly status: EndedStatus;
  /** By task: the branch of parallel-orchestra that was to be brought in. */
  readonly left: ReadonlyMap<string, string>;
};

/** What kept work from the user's branch, and no task is to blame for. */
export function runnerErrors({ state, results, status, left }: ToTell): RunnerError[] {
  const open = openTasks(state);
  const isOpen = ({ id }: Result): boolean => open.some(({ task }) => task === id);
  const conflicts = results.filter((one) => one.merge === "conflict" && !isOpen(one));
  return [
    ...open.map((one) => openError(state, one)),
    ...conflicts.map((one) => conflictError(state, one, left)),
    ...(state.held === null ? [] : [heldError(state, state.held)]),
    ...landingErrors(state, status),
  ];
}

function openError(state: RunState, { task, worktree }: TheirTask): RunnerError {
  const typed = createFormat(state);
  return [
    `${task} is open, so its work is not merged${worktree === null ? "" : `: ${worktree}`}`,
    `submit it: ${typed("submit", task)}; or drop it: ${typed("drop", task)}`,
  ];
}

/** To bring a branch in again would only meet the same conflict. */
function conflictError(state: RunState, { id, why, branch }: Result, left: ToTell["left"]): RunnerError {
  const typed = createFormat(state);
  const foreign = left.get(id) ?? null;
  const place = foreign ?? branch;
  return [
    `merge conflict: the work of ${id} was not merged: ${why ?? ""}`,
    ...(place === null ? [] : [`its work is saved: ${place}`]),
    `resolve it: ${typed("open", id)}, then ${typed("submit", id)}`,
    foreign === null
      ? `or redo it on top of the merged work: ${typed("retry", id)}; all saved work: ${formatCommand(plait("rescue"))}`
      : `or merge it yourself: git merge ${foreign}, then run the same command with --resume`,
    `show the run: ${formatCommand(plait("status", state.run))}`,
  ];
}

function heldError(state: RunState, why: string): RunnerError {
  const resume = formatCommand(forRun(state, plait("resume", state.run)));
  return [`the run is held: ${why}`, `continue it: ${resume}`];
}

/** Commands about one task of the run. */
const createFormat = (state: RunState) => (verb: "submit" | "drop" | "open" | "retry", task: string) =>
  formatCommand(forRun(state, plait(verb, task, { run: state.run })));

function landingErrors(state: RunState, status: EndedStatus): RunnerError[] {
  const { landing, run, target } = state;
  const isRefused = landing.kind === "refused";
  const { done, total } = progress(state);
  const isDoneElsewhere = done === total && status.exit !== 0 && status.kind !== "stopped";
  if (!isRefused && !isDoneElsewhere) return [];
  const branch = target === null ? "a branch" : shortRef(target);
  const why = isRefused ? plainText(formatRefusedMove(landing)) : "landing was not requested";
  return [
    [
      `the merged work did not land on ${branch}: ${why}`,
      `it is on branch plait/${run}/integration; land it: ${formatCommand(plait("land", run))}`,
    ],
  ];
}
