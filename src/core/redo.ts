import { conversationToContinue } from "./evolve/open.ts";
import type { FactBody, Revision } from "./facts.ts";
import type { TaskId, TextHash } from "./ids.ts";
import { taskAt } from "./run-index.ts";
import type { RunState } from "./run-state.ts";
import { isIncluded, isSatisfied, taskState } from "./run-tasks.ts";
import { findStatusIn, type SeenRun } from "./select/task-status.ts";
import { plait } from "./text/command.ts";
import { quoted } from "./text/figures.ts";
import { refuseCommand, type UserRefusal } from "./text/refusal.ts";
import { fix } from "./text/sentence.ts";

/** Merged work is sent back to the agents that made it. */
export type RedoAsked = {
  readonly tasks: readonly BriefedTask[];
  /** A commit of the target that has all of the run's work, to continue from; null: where the integration branch is. */
  readonly onto: Revision | null;
};

export type BriefedTask = { readonly task: TaskId; readonly brief: TextHash };

/** `busy`: why the run is not at rest, null where it is. */
export function decideRedo(
  state: RunState,
  { tasks, onto }: RedoAsked,
  { busy, seen }: { readonly busy: UserRefusal | null; readonly seen: SeenRun },
): readonly FactBody[] | UserRefusal {
  const isBehind = onto !== null && onto.commit !== state.tip.commit;
  if (isBehind && busy !== null)
    return { ...busy, hint: busy.hint ?? fix("wait for the run to end", plait("watch", state.run)) };
  const facts: FactBody[] = isBehind
    ? [{ type: "integration.caught-up", from: state.tip.commit, to: onto }]
    : [];
  // A person landed the run by hand: its fixes belong on the same branch.
  if (state.landing.kind === "landed" && state.policy.land === "never")
    facts.push({ type: "policy.changed", policy: { ...state.policy, land: "end" } });
  for (const { task, brief: text } of tasks) {
    const problem = findRedoProblem(state, task, seen);
    if (problem !== null) return refuseCommand(`cannot redo ${quoted(task)}: it ${problem}`);
    const continues = conversationToContinue(taskState(state, state.index.indexOf.get(task) as number));
    facts.push({ type: "task.reopened", task, brief: { text, continues } });
  }
  return facts;
}

/** Why a task of a run cannot be sent back, as the end of a sentence that begins with its id; null where it can. */
export function findRedoProblem(state: RunState, task: TaskId, seen: SeenRun): string | null {
  const i = state.index.indexOf.get(task);
  if (i === undefined || !isIncluded(state, task)) return `is not part of ${state.run}`;
  if (taskAt(state.index, i).work.kind !== "agent") return "is a command, not an agent";
  if (state.workFolder !== null) return "ran in a folder without a repository";
  const { phase, live, brief } = taskState(state, i);
  // A task that failed or changed nothing after it was sent back stays merged as before.
  const isMerged = isSatisfied(phase) || (phase.kind === "failed" && brief !== null);
  if (isMerged && live.length === 0) return null;
  return `is ${findStatusIn(seen, task)?.kind ?? phase.kind} in ${state.run}`;
}
