import type { TaskId } from "../core/ids.ts";
import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import type { NextActor } from "../core/select/task-status.ts";
import { amount, count, duration, factor } from "../core/text/figures.ts";

/** What the three kinds of graph say about a task and draw as its edges. */

/** What a picture tells: of a plan before it runs, or of a run at one moment (run-graph.ts). */
export type GraphWords = {
  /** One line that names the whole, and one with its figures. */
  readonly title: string;
  readonly about: string;
  /** First to last. */
  readonly critical: readonly TaskId[];
  readonly line: (task: TaskPreview) => string;
  readonly tooltip: (task: TaskPreview) => string;
  /** Who has the ball; null where nothing has begun. */
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
