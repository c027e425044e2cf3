// How a run of two streams ended, in the lines of cast-parallel, with what to type next.

import type { RunState } from "../../../app/index.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import { formatFailure } from "../../../core/select/failure-text.ts";
import { listNextSteps } from "../../../core/select/next-steps.ts";
import { runEnd } from "../../../core/select/run-end.ts";
import { findEndStatus } from "../../../core/select/run-status.ts";
import { formatRefusedMove } from "../../../core/select/run-status-text.ts";
import { failedTasks, stayingTrees } from "../../../core/select/task-lists.ts";
import { formatCommand } from "../../../core/text/command.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { letterOf, titleOf } from "./split.ts";
import type { Followed } from "./streams.ts";
import type { Talk } from "./talk.ts";

const LAST_LINES = 20;

type Conflict = Extract<AttemptFailure, { reason: "conflict" }>;

/** What kept the work from being merged, on the integration branch or on the user's. */
export type EndKind = "complete" | "failed" | "conflict";

export function endKind(state: RunState): EndKind {
  if (findEndStatus(state).exit === 0) return "complete";
  const others = failedTasks(state).filter(({ failure }) => failure.reason !== "conflict");
  const isMerging = failedTasks(state).length > 0 || state.landing.kind === "refused";
  return others.length === 0 && isMerging ? "conflict" : "failed";
}

export function tellEnd(state: RunState, { logs, exits }: Followed, talk: Talk): void {
  const kind = endKind(state);
  if (kind === "complete") {
    tellComplete(state, talk);
    return;
  }
  for (const { task, failure, limits } of failedTasks(state)) {
    if (failure.reason === "conflict") tellConflict(task, failure, talk);
    else {
      const code = exits.get(task) ?? null;
      const why = plainText(formatFailure(failure, limits));
      talk.error(
        `${titleOf(task)} ${code === null || code === 0 ? `failed: ${why}` : `exited with code ${code}`}`,
      );
      if (code !== null && code !== 0) talk.error(`  ${why}`);
      talk.error(`Last ${LAST_LINES} lines of ${titleOf(task)} log:`);
      talk.quote(logs.get(task)?.lastLines(LAST_LINES) ?? []);
    }
  }
  if (kind === "failed") tellLogs(state, logs, talk);
  else tellMerge(state, talk);
  tellKept(state, talk);
}

/** What was merged into what, and that the cleaning begins after a landing, is told when it happens. */
function tellComplete(state: RunState, talk: Talk): void {
  const { landing, tip, base } = state;
  const isEmpty = tip.commit === base.commit;
  if (isEmpty) talk.info("Cleaning up worktrees...");
  const staying = stayingTrees(state);
  for (const { task, path } of staying) talk.info(`Kept the worktree of ${titleOf(task)}: ${path}`);
  if (staying.length === 0) talk.success("Worktrees cleaned up.");
  talk.success("");
  const branch = landing.kind === "landed" ? shortRef(landing.target) : `plait/${state.run}/integration`;
  const result = isEmpty ? "Nothing to merge." : `All results merged into ${branch}.`;
  talk.success(`Parallel execution complete. ${result}`);
}

function tellConflict(task: string, { with: others, paths }: Conflict, talk: Talk): void {
  const other = others.map(titleOf).join(", ") || "the merged work";
  talk.error(`Merge conflict: ${titleOf(task)} into ${other}`);
  talk.error("Conflicting files:");
  talk.quote(paths);
}

function tellLogs(state: RunState, logs: Followed["logs"], talk: Talk): void {
  const { stopSignal } = state;
  if (stopSignal !== null) talk.error(`Interrupted by ${stopSignal}.`);
  else if (failedTasks(state).length > 0) talk.error("One or both sessions failed. Logs preserved at:");
  else talk.error("The run did not finish. Logs preserved at:");
  for (const [task, { path, problem }] of logs)
    if (problem === null && stopSignal === null) talk.error(`  ${letterOf(task)}: ${path}`);
}

function tellMerge(state: RunState, talk: Talk): void {
  const { landing, target, run } = state;
  if (landing.kind !== "refused") {
    talk.error("Merge failed. Both sides are saved for you to resolve.");
    return;
  }
  const branch = target === null ? "a branch" : shortRef(target);
  const what = landing.why === "conflict" ? "Merge conflict" : "Not merged";
  talk.error(`${what}: plait/${run}/integration into ${branch}`);
  talk.error(`  ${plainText(formatRefusedMove(landing))}`);
  if (landing.paths === undefined) return;
  talk.error("Conflicting files:");
  talk.quote(landing.paths);
}

/** Nothing is thrown away: where all of it is, and the commands that go on with it. */
function tellKept(state: RunState, talk: Talk): void {
  const { tip, base, run, target } = state;
  const branch = target === null ? "your checkout" : shortRef(target);
  talk.error(`${branch} is unchanged. The streams' work is saved:`);
  if (tip.commit !== base.commit) talk.error(`  merged so far: plait/${run}/integration`);
  for (const { task, ref } of runEnd(state).kept) talk.error(`  ${titleOf(task)}: ${ref}`);
  for (const { command, purpose } of listNextSteps(state, { isRunning: false }))
    talk.error(`  ${formatCommand(command)}   (${purpose})`);
}
