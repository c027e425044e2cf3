// What a run comes to in the exit codes of parallel-orchestra. Pure.

import type { RunOutcome } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { openTasks, type TheirTask } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import type { Result } from "../../../report/parallel-orchestra/results.ts";
import type { Driven } from "../../drive.ts";
import { exitCodes } from "../../exit-codes.ts";

/** A run that was complete when the signal came is complete; its report may be missing all the same. */
export function exitCodeOf({ outcome, signal }: Driven, hasErrors: boolean): number {
  if (outcome === "complete") return hasErrors ? exitCodes.badEnvironment : exitCodes.ok;
  if (signal !== null) return signal;
  return hasErrors ? exitCodes.badEnvironment : exitCodes.incomplete;
}

/** A message, and what to type. */
export type RunnerError = readonly [message: string, ...hints: string[]];

export type ToTell = {
  readonly state: RunState;
  readonly results: readonly Result[];
  readonly outcome: RunOutcome;
  /** By task: the branch of parallel-orchestra that was to be brought in. */
  readonly left: ReadonlyMap<string, string>;
};

/** What kept work from the user's branch, and no task is to blame for. */
export function runnerErrors({ state, results, outcome, left }: ToTell): RunnerError[] {
  const open = openTasks(state);
  const isOpen = ({ id }: Result): boolean => open.some(({ task }) => task === id);
  const conflicts = results.filter((one) => one.merge === "conflict" && !isOpen(one));
  return [
    ...open.map((one) => openError(state, one)),
    ...conflicts.map((one) => conflictError(state, one, left)),
    ...(state.held === null ? [] : [heldError(state, state.held)]),
    ...landingErrors(state, outcome),
  ];
}

function openError({ run }: RunState, { task, worktree }: TheirTask): RunnerError {
  return [
    `${task} is open for you, so its work is not merged${worktree === null ? "" : `: ${worktree}`}`,
    `hand it in: plait submit ${task} --run ${run}; or give it up: plait drop ${task} --run ${run}`,
  ];
}

/** To bring a branch in again would only meet the same conflict. */
function conflictError({ run }: RunState, { id, why, branch }: Result, left: ToTell["left"]): RunnerError {
  const foreign = left.get(id) ?? null;
  const place = foreign ?? branch;
  return [
    `merge conflict: the work of ${id} was not merged: ${why ?? ""}`,
    ...(place === null ? [] : [`its work is saved: ${place}`]),
    `resolve it: plait open ${id} --run ${run}, then plait submit ${id} --run ${run}`,
    foreign === null
      ? `or do it again on top of what is merged: plait retry ${id} --run ${run}; all saved work: plait rescue`
      : `or merge it yourself: git merge ${foreign}, and then the same command with --resume`,
    `look at the run: plait status ${run}`,
  ];
}

function heldError({ run }: RunState, why: string): RunnerError {
  return [`the run is held: ${why}`, `go on with it: plait resume ${run}`];
}

function landingErrors(state: RunState, outcome: RunOutcome): RunnerError[] {
  const { landing, run, target } = state;
  const isRefused = landing.kind === "refused";
  if (!isRefused && outcome !== "not-landed") return [];
  const branch = target === null ? "a branch" : shortRef(target);
  const why = isRefused ? landing.detail : "nobody asked for it";
  return [
    [
      `what is merged did not land on ${branch}: ${why}`,
      `it is on the branch plait/${run}/integration; land it: plait land ${run}`,
    ],
  ];
}
