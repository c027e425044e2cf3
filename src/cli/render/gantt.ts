import type { PlanPreview, TaskPreview } from "../../core/select/preview/preview.ts";
import type { Glyphs } from "./glyphs.ts";
import { cells } from "./width.ts";

/** The expected run as bars of characters. All functions draw for a number of cells and know nothing of what is beside. */
export type Chart = {
  readonly width: number;
  /** What the whole width stands for, in the unit of the preview. */
  readonly total: number;
  readonly unit: PlanPreview["time"]["unit"];
  readonly glyphs: Glyphs;
};

type Bar = { readonly start: number; readonly end: number };

export function bar({ start, end }: Bar, glyph: string, chart: Chart): string {
  const [from, to] = cellsOf({ start, end }, chart);
  return " ".repeat(from) + glyph.repeat(to - from);
}

/** Round values along the top, the last one with its unit. */
export function axis(chart: Chart): string {
  const { per, name } = axisUnit(chart);
  const end = `${round(chart.total / per)}${name}`;
  const room = chart.width - cells(end) - 1;
  let line = "";
  for (const value of ticks(chart.total / per, chart.width)) {
    const at = cellOf(value * per, chart);
    const label = String(value);
    if (at + label.length <= room && (line === "" || at > line.length)) line = line.padEnd(at) + label;
  }
  return line.padEnd(chart.width - cells(end)) + end;
}

/** The critical path in one row, neighbours told apart by two kinds of bar. */
export function criticalBar(tasks: readonly TaskPreview[], chart: Chart): string {
  let line = "";
  tasks.forEach((task, index) => {
    const [from, to] = cellsOf(task, chart);
    const glyph = index % 2 === 0 ? chart.glyphs.bar : chart.glyphs.barOther;
    line = line.slice(0, from).padEnd(from) + glyph.repeat(to - from);
  });
  return line;
}

/** Names under the bars of the critical path, as many as have room, the longest tasks first. */
export function criticalNames(tasks: readonly TaskPreview[], chart: Chart): string {
  const placed: { from: number; to: number; id: string }[] = [];
  for (const task of [...tasks].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    const [from] = cellsOf(task, chart);
    const to = from + task.id.length;
    if (to <= chart.width && placed.every((other) => to < other.from || from > other.to))
      placed.push({ from, to, id: task.id });
  }
  return placed.sort((a, b) => a.from - b.from).reduce((line, { from, id }) => line.padEnd(from) + id, "");
}

/** Slots in use over time, one an attempt: blocks by their share of all slots, in ASCII the number itself. */
export function slotsInUse(tasks: readonly TaskPreview[], slots: number, chart: Chart): string {
  const used = new Array<number>(chart.width).fill(0);
  for (const task of tasks) {
    for (const start of [task.start, ...task.further]) {
      const [from, to] = cellsOf({ start, end: task.end }, chart);
      for (let cell = from; cell < to; cell += 1) used[cell] = (used[cell] as number) + 1;
    }
  }
  return used.map((count) => level(Math.min(count, slots), slots, chart.glyphs)).join("");
}

function level(used: number, slots: number, { ascii, levels }: Glyphs): string {
  if (used === 0) return " ";
  if (ascii) return used < 10 ? String(used) : "+";
  return levels[Math.max(0, Math.ceil((used / slots) * levels.length) - 1)] as string;
}

/** From and up to; what takes any time is at least one cell wide. */
function cellsOf({ start, end }: Bar, chart: Chart): [from: number, to: number] {
  const from = Math.min(cellOf(start, chart), chart.width - 1);
  return [from, Math.max(from + 1, cellOf(end, chart))];
}

function cellOf(value: number, { total, width }: Chart): number {
  return total === 0 ? 0 : Math.round((value / total) * width);
}

function axisUnit({ unit, total }: Chart): { readonly per: number; readonly name: string } {
  if (unit === "task") return { per: 1, name: "" };
  if (total < 3 * 60_000) return { per: 1_000, name: " s" };
  return total < 3 * 3_600_000 ? { per: 60_000, name: " m" } : { per: 3_600_000, name: " h" };
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, about one every ten cells. */
function ticks(total: number, width: number): number[] {
  const least = total / Math.max(1, Math.floor(width / 10));
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? 10 * power;
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, i) => i * step);
}

const round = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
