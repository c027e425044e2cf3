import type { TaskId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { type PlanPreview, preview, type TaskPreview } from "../core/select/preview/preview.ts";
import type { TaskRow } from "../core/select/task-rows.ts";
import type { NextActor } from "../core/select/task-status.ts";
import { formatTaskNote } from "../core/select/task-status-text.ts";
import { amount, count, dollars, duration, elapsed, factor } from "../core/text/figures.ts";
import { plainText } from "../core/text/sentence.ts";

/** What the three kinds of graph say about a task and draw as its edges. */

/** What a picture tells: of a plan before it runs, or of a run at one moment. */
export type GraphWords = {
  /** One line that names the whole, and one with its figures. */
  readonly title: string;
  readonly about: string;
  /** First to last. */
  readonly critical: readonly TaskId[];
  readonly line: (task: TaskPreview) => string;
  readonly tooltip: (task: TaskPreview) => string;
  /** Null before the run starts. */
  readonly actor: (task: TaskPreview) => NextActor | null;
};

export function planWords(preview: PlanPreview): GraphWords {
  const { time, slots, critical } = preview;
  const serial = `${amount(time.serial, time.unit)} if run serially (${factor(time.speedUp)})`;
  return {
    title: graphTitle(preview),
    about: `${amount(time.wall, time.unit)} on ${count(slots.planned, "slot")}, ${serial}; bold: critical path`,
    critical,
    line: (task) => taskLine(preview, task),
    tooltip: (task) => taskTooltip(preview, task),
    actor: () => null,
  };
}

export type GraphEdge = { readonly from: number; readonly to: number; readonly critical: boolean };

/** Needs as pairs of task indices, without those that other needs imply. */
export function graphEdges(preview: PlanPreview, critical = preview.critical): GraphEdge[] {
  const indexOf = new Map(preview.tasks.map((task, index) => [task.id, index]));
  const place = new Map(critical.map((id, index) => [id, index]));
  return preview.tasks.flatMap((task, to) =>
    task.directNeeds.map((need) => ({
      from: indexOf.get(need) as number,
      to,
      critical: place.has(need) && (place.get(need) as number) + 1 === place.get(task.id),
    })),
  );
}

/** A wave as a graph draws it: a cluster of its tasks, all of them after all of the cluster before. */
export type GraphWave = { readonly label: string; readonly tasks: readonly number[] };

export function graphWaves(preview: PlanPreview): GraphWave[] {
  const members = new Map<number, number[]>(preview.waves.map(({ wave }) => [wave, []]));
  preview.tasks.forEach(({ wave }, index) => {
    if (wave !== null) members.get(wave)?.push(index);
  });
  return [...members].map(([wave, tasks]) => ({ label: `wave ${wave}`, tasks }));
}

/** Who does it and how long it takes: `claude, 10 m`. */
export function taskLine(preview: PlanPreview, task: TaskPreview): string {
  const who = task.work.kind === "agent" ? task.work.use : "command";
  const readOnly = task.work.kind === "agent" && task.access === "read-only" ? " reads" : "";
  const time = preview.time.unit === "ms" ? `, ${duration(task.end - task.start)}` : "";
  return `${who}${readOnly}${time}`;
}

/** All that a person may want on pointing at a task. */
export function taskTooltip(preview: PlanPreview, task: TaskPreview): string {
  const lines = [task.title === task.id ? task.id : `${task.id}: ${task.title}`, taskLine(preview, task)];
  if (task.work.kind === "command") lines.push(task.work.run);
  if (task.needs.length > 0) lines.push(`needs ${task.needs.join(", ")}`);
  if (task.wave !== null) lines.push(`wave ${task.wave}`);
  if (task.group !== null) lines.push(`group ${task.group}`);
  if (task.critical) lines.push("on the critical path");
  return lines.join("\n");
}

/** One line that names the whole. */
export function graphTitle({ name, size }: PlanPreview): string {
  const waves = size.waves === 0 ? [] : [count(size.waves, "wave")];
  return [name, count(size.tasks, "task"), count(size.ranks, "rank"), ...waves].join(", ");
}

/** A run as its graph shows it. */
type RunGraphInput = {
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
