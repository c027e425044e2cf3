import { isChanged } from "./evolve/revise.ts";
import type { TaskId } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { RunState } from "./run-state.ts";
import { findTask, isSatisfied, listTasks } from "./run-tasks.ts";
import { plait } from "./text/command.ts";
import { quoted } from "./text/figures.ts";
import { refuseCommand, type UserRefusal } from "./text/refusal.ts";
import { command, fix, type Sentence, sentence } from "./text/sentence.ts";

type Revision = { readonly plan: Plan; readonly redo: readonly TaskId[] };

/** Unchanged merged tasks stay; a changed one must be named in `redo`. */
export function refuseRevision(state: RunState, { plan, redo }: Revision): UserRefusal | null {
  // Editing a file does not take an open task away from its person (I2).
  for (const {
    of,
    task: { id },
  } of listTasks(state)) {
    if (of.open === null) continue;
    const revised = plan.tasks.find((task) => task.id === id);
    if (revised === undefined || isChanged(state, revised))
      return refuseCommand(
        `the new plan changes ${quoted(id)}, which you have open`,
        suggestRelease(state, id),
      );
  }
  const edited = plan.tasks.filter((task) => isDone(state, task.id) && isChanged(state, task));
  const unnamed = edited.map(({ id }) => id).filter((id) => !redo.includes(id));
  if (unnamed.length > 0) {
    const names = unnamed.map((id) => quoted(id)).join(", ");
    const again = plait("resume", state.run, {
      plan: plan.source.path,
      redo: [...redo, ...unnamed].join(","),
    });
    const [what, way] = unnamed.length === 1 ? ["is", "run the task"] : ["are", "run the tasks"];
    return refuseCommand(
      `the new plan changes ${names}, which ${what} done`,
      fix(`revert the edit of ${names} in the plan, or ${way} again`, again),
    );
  }
  for (const id of redo) {
    if (!isDone(state, id)) return refuseCommand(`cannot redo ${quoted(id)}: it is not done`);
  }
  return null;
}

function isDone(state: RunState, id: TaskId): boolean {
  const phase = findTask(state, id)?.phase;
  return phase !== undefined && isSatisfied(phase);
}

export const suggestRelease = ({ run }: RunState, task: TaskId): Sentence =>
  sentence`submit or drop it first: ${command(plait("submit", task, { run }))}, or ${command(plait("drop", task, { run }))}`;
