import { conversationToContinue } from "./evolve/open.ts";
import type { FactBody, Revision } from "./facts.ts";
import type { TaskId, TextHash } from "./ids.ts";
import { taskAt } from "./run-index.ts";
import type { RunState, TaskState } from "./run-state.ts";
import { isSelected, taskState } from "./run-tasks.ts";

/** Merged work goes back to the agents that made it. */
export type RedoAsked = {
  readonly tasks: readonly BriefedTask[];
  /** A commit of the target that has all of the run's work, to continue from; null: where the integration branch is. */
  readonly onto: Revision | null;
};

export type BriefedTask = { readonly task: TaskId; readonly brief: TextHash };

/** Facts, or the refusal; `busy` says what is on its way in the run, null: nothing. */
export function decideRedo(
  state: RunState,
  { tasks, onto }: RedoAsked,
  busy: string | null,
): readonly FactBody[] | string {
  const isBehind = onto !== null && onto.commit !== state.tip.commit;
  if (isBehind && busy !== null) return `${busy} Wait for the run to end: plait watch ${state.run}`;
  const facts: FactBody[] = isBehind
    ? [{ type: "integration.caught-up", from: state.tip.commit, to: onto }]
    : [];
  // A person landed the run by hand: its fixes belong on the same branch.
  if (state.landing.kind === "landed" && state.policy.land === "never")
    facts.push({ type: "policy.changed", policy: { ...state.policy, land: "end" } });
  for (const { task, brief: text } of tasks) {
    const i = state.index.indexOf.get(task);
    const of = i === undefined || !isSelected(state, task) ? null : taskState(state, i);
    const refusal = of === null ? `${task} is not part of this run.` : refuseRedo(state, of, task);
    if (of === null || refusal !== null) return refusal ?? "";
    facts.push({ type: "task.reopened", task, brief: { text, continues: conversationToContinue(of) } });
  }
  return facts;
}

function refuseRedo(state: RunState, { phase, live }: TaskState, task: TaskId): string | null {
  const [attempt] = live;
  // A task that failed, or changed nothing, when it was sent back is merged as it was before.
  if (phase.kind !== "merged" && phase.kind !== "failed" && phase.kind !== "passed")
    return `Cannot redo ${task}: it is ${phase.kind}, not merged.`;
  if (attempt !== undefined) return `Cannot redo ${task}: attempt ${attempt.id} is running.`;
  const { work } = taskAt(state.index, state.index.indexOf.get(task) as number);
  return work.kind === "agent" ? null : `Cannot redo ${task}: it is a command, which cannot be asked.`;
}
