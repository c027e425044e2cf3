import type { TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { LiveAttempt, PastAttempt, RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";

/** An attempt whose process has ended and whose work is saved, judged or not. */
export type EndedAttempt = {
  readonly task: TaskId;
  readonly attempt: Pick<PastAttempt, "id" | "ended">;
};

/** All of them, in the order of the plan and of their numbers. */
export function pastAttempts(state: RunState): EndedAttempt[] {
  return [...entries(state.tasks)].flatMap(([i, { past, live }]) => {
    const { id: task } = taskAt(state.index, i);
    return [...past, ...live.flatMap(endedOf)].map((attempt) => ({ task, attempt }));
  });
}

function endedOf({ id, stage }: LiveAttempt): EndedAttempt["attempt"][] {
  return stage.kind === "gate" ? [{ id, ended: stage.ended }] : [];
}

/** Tasks that are merged or passed. */
export function doneTasks(state: RunState): TaskId[] {
  return [...entries(state.tasks)].flatMap(([i, { phase }]) =>
    phase.kind === "merged" || phase.kind === "passed" ? [taskAt(state.index, i).id] : [],
  );
}
