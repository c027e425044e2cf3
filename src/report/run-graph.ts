import type { TaskId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { type PlanPreview, preview, type TaskPreview } from "../core/select/preview/preview.ts";
import { count } from "../core/select/preview/words.ts";
import { dollars, elapsed } from "../core/select/run-words.ts";
import { stateWord } from "../core/select/state-words.ts";
import type { TaskRow } from "../core/select/task-rows.ts";
import type { GraphWords } from "./graph-text.ts";

/** A run as its graph shows it. */
export type RunGraphInput = {
  readonly plan: Plan;
  /** Those that were selected; others are not drawn. */
  readonly rows: readonly TaskRow[];
  /** Its name, and how far it is in one sentence. */
  readonly run: string;
  readonly says: string;
  /** What decides how long it takes, first to last; else what the rows say about what is to come. */
  readonly critical?: readonly TaskId[];
};

export type RunGraph = { readonly preview: PlanPreview; readonly words: GraphWords };

/** The graph of the plan, with where each task stands in place of what was expected of it. */
export function runGraph({ plan, rows, run, says, critical }: RunGraphInput): RunGraph {
  const byTask = new Map(rows.map((row) => [row.task, row]));
  const tasks = plan.tasks
    .filter(({ id }) => byTask.has(id))
    .map((task) => ({ ...task, needs: task.needs.filter((need) => byTask.has(need)) }));
  const rowOf = ({ id }: TaskPreview): TaskRow => byTask.get(id) as TaskRow; // only these are drawn
  const seen = preview({ ...plan, tasks }, { slots: 1 });
  const coming = seen.tasks.filter((task) => rowOf(task).isCritical).sort((a, b) => a.rank - b.rank);
  const path = critical ?? coming.map(({ id }) => id);
  return {
    preview: seen,
    words: {
      title: run,
      about: says,
      critical: path,
      line: (task) => lineOf(rowOf(task)),
      tooltip: (task) => tooltipOf(task, rowOf(task), path.includes(task.id)),
      ball: (task) => rowOf(task).ball,
    },
  };
}

/** `merged, 6:01`, `failed, 3 attempts, 17:00`. */
function lineOf({ shown, attempts, workMs }: TaskRow): string {
  const tries = attempts > 1 ? [count(attempts, "attempt")] : [];
  return [stateWord(shown), ...tries, ...(attempts === 0 ? [] : [elapsed(workMs)])].join(", ");
}

function tooltipOf({ needs }: TaskPreview, row: TaskRow, isCritical: boolean): string {
  const { task, title, note, agent, usage } = row;
  const who = agent === null ? "command" : [agent.use, agent.model].filter((one) => one !== null).join(" ");
  return [
    title === task ? task : `${task}: ${title}`,
    `${who}, ${lineOf(row)}${usage.costUsd === null ? "" : `, ${dollars(usage.costUsd)}`}`,
    ...(note === null ? [] : [note]),
    ...(needs.length === 0 ? [] : [`needs ${needs.join(", ")}`]),
    ...(isCritical ? ["on the critical path"] : []),
  ].join("\n");
}
