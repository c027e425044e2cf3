import type { TaskId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { type PlanPreview, preview, type TaskPreview } from "../core/select/preview/preview.ts";
import type { TaskRow } from "../core/select/task-rows.ts";
import { formatTaskNote } from "../core/select/task-status-text.ts";
import { count, dollars, elapsed } from "../core/text/figures.ts";
import { plainText } from "../core/text/sentence.ts";
import type { GraphWords } from "./graph-text.ts";

/** A run as its graph shows it. */
export type RunGraphInput = {
  readonly plan: Plan;
  /** Those that were selected; others are not drawn. */
  readonly rows: readonly TaskRow[];
  /** Its name, and how far it is in one sentence. */
  readonly run: string;
  readonly summary: string;
  /** What decides how long it takes, first to last; else what the rows say about what is to come. */
  readonly critical?: readonly TaskId[];
};

export type RunGraph = { readonly preview: PlanPreview; readonly words: GraphWords };

/** The graph of the plan, with where each task stands in place of what was expected of it. */
export function runGraph({ plan, rows, run, summary, critical }: RunGraphInput): RunGraph {
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
      about: summary,
      critical: path,
      line: (task) => lineOf(rowOf(task)),
      tooltip: (task) => tooltipOf(task, rowOf(task), path.includes(task.id)),
      actor: (task) => rowOf(task).actor,
    },
  };
}

/** `merged, 6:01`, `failed, 3 attempts, 17:00`. */
function lineOf({ status, attempts, workMs }: TaskRow): string {
  const tries = attempts > 1 ? [count(attempts, "attempt")] : [];
  return [status.kind, ...tries, ...(attempts === 0 ? [] : [elapsed(workMs)])].join(", ");
}

function tooltipOf({ needs }: TaskPreview, row: TaskRow, isCritical: boolean): string {
  const { task, title, agent, usage } = row;
  const note = plainText(formatTaskNote(row.status));
  const who = agent === null ? "command" : [agent.use, agent.model].filter((one) => one !== null).join(" ");
  return [
    title === task ? task : `${task}: ${title}`,
    `${who}, ${lineOf(row)}${usage.costUsd === null ? "" : `, ${dollars(usage.costUsd)}`}`,
    ...(note === "" ? [] : [note]),
    ...(needs.length === 0 ? [] : [`needs ${needs.join(", ")}`]),
    ...(isCritical ? ["on the critical path"] : []),
  ].join("\n");
}
