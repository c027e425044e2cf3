import type { PlanPreview, TaskPreview } from "../../core/select/preview/preview.ts";
import { amount, count, factor } from "../../core/select/preview/words.ts";
import { dollars, estimate } from "./figures.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { ganttRows, rankTable } from "./plan-chart.ts";
import { planSections } from "./plan-sections.ts";
import { leftAndRight, wrapParts } from "./table.ts";
import { visible } from "./visible.ts";
import { cutMiddle, cutPath, padStart, wrapWords } from "./width.ts";

/** What a run of the plan would look like, for people: what it takes first, then how it goes, then what it touches. */
export type PlanView = {
  readonly width: number;
  readonly glyphs: Glyphs;
  readonly warnings: number;
  /** The command to type now. */
  readonly next: string;
};

/** From here on there is a row a task, with its bar. */
const WIDE = 100;
/** Below this there is no room for bars. */
const NARROW = 60;

export function renderPlan(preview: PlanPreview, view: PlanView): Line[] {
  return [
    ...header(preview, view),
    [],
    ...(view.width >= WIDE ? rankTable(preview, view) : rankLines(preview, view)),
    ...(view.width >= NARROW && view.width < WIDE ? [[], ...ganttRows(preview, view)] : []),
    [],
    ...planSections(preview, view),
    [],
    ...leftAndRight(validLine(view), [dim("next"), "  ", bold(visible(view.next))], view.width),
  ];
}

function header(preview: PlanPreview, { width, glyphs }: PlanView): Line[] {
  const { tasks, needs, ranks } = preview.size;
  const edges = width < NARROW ? "" : `${count(needs, "need")}, `;
  const size = `${count(tasks, "task")}, ${edges}${count(ranks, "rank")}`;
  const workers = preview.workers.map(({ name, tasks }) => `${visible(name)} ${tasks}`).join(", ");
  const left: Line = [bold(visible(preview.name)), `  ${width >= WIDE ? `${size}; ${workers}` : size}`];
  const path = dim(cutPath(visible(preview.source.path), Math.min(width, 60), glyphs.cut));
  return [
    ...leftAndRight(left, [path], width),
    ...wrapWords(timeLine(preview), width).map((line): Line => [line]),
    ...wrapWords(accessLine(preview), width).map((line): Line => [styled("yellow", line)]),
  ];
}

function timeLine({ time, slots, cost, tasks }: PlanPreview): string {
  const serial = `${amount(time.serial, time.unit)} one after another (${factor(time.speedUp)})`;
  const line = `${amount(time.wall, time.unit)} on ${count(slots.planned, "slot")}, ${serial}`;
  const price = cost === null ? "" : `, about ${dollars((cost.low + cost.high) / 2)}`;
  if (time.unit === "task") return `${line}${price}; no times are stated, so each task counts as one`;
  const guessed = tasks.length - time.known;
  return guessed === 0 ? line + price : `${line}${price}; ${count(guessed, "time")} guessed (~)`;
}

/** Said in every plan, because a person must know it before a run. */
function accessLine({ access: { bypassed, readOnly } }: PlanPreview): string {
  const agents = bypassed.length + readOnly.length;
  if (agents === 0) return "no agents: the commands below run as you";
  if (bypassed.length === 0) return "agents may only read";
  const who = readOnly.length === 0 ? "agents" : `${bypassed.length} of ${agents} agents`;
  return `${who} with full access: permission prompts bypassed, no sandbox`;
}

function rankLines(preview: PlanPreview, { width, glyphs }: PlanView): Line[] {
  const byId = new Map(preview.tasks.map((task) => [task.id, task]));
  const digits = String(preview.ranks.length).length;
  return preview.ranks.flatMap((ids, index) => {
    const parts = ids.map((id) => taskPart(byId.get(id) as TaskPreview, preview, { width, glyphs }));
    const rank = dim(`${padStart(String(index + 1), digits)} `);
    const lines = wrapParts(parts, { width: width - digits - 1, separator: "  ", indent: "" });
    return lines.map((line, row): Line => [row === 0 ? rank : " ".repeat(digits + 1), ...line]);
  });
}

function taskPart(
  task: TaskPreview,
  preview: PlanPreview,
  { width, glyphs }: { width: number; glyphs: Glyphs },
): Line {
  const id = cutMiddle(task.id, Math.min(24, width - 12), glyphs.cut);
  const time = preview.time.unit === "ms" ? [" ", dim(estimate(task))] : [];
  return task.critical ? [bold(`${glyphs.critical}${id}`), ...time] : [` ${id}`, ...time];
}

function validLine({ warnings }: PlanView): Line {
  return warnings === 0
    ? ["plan is valid"]
    : ["plan is valid, ", styled("yellow", count(warnings, "warning"))];
}
