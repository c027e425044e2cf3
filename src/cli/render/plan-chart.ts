import type { PlanPreview, TaskPreview } from "../../core/select/preview/preview.ts";
import { amount, shortDuration } from "../../core/text/figures.ts";
import { axis, bar, type Chart, criticalBar, criticalNames, slotsInUse } from "./gantt.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { LABEL, names, type Room } from "./table.ts";
import { cells, cutMiddle, pad, padStart } from "./width.ts";

/** The expected run over time: one row for the critical path where there is little room, else a row a task. */
const LONGEST_ID = 24;
const EST = 6;
const LONGEST_CHART = 72;

/** Critical path, slots in use, and the whole against one task after the other. */
export function ganttRows(preview: PlanPreview, { width, glyphs }: Room): Line[] {
  const tail = ` of ${preview.slots.planned}`;
  const chart = chartOf(preview, width - LABEL - Math.max(10, tail.length), glyphs);
  const critical = criticalTasks(preview);
  return [
    [" ".repeat(LABEL), dim(axis(chart))],
    [dim(pad("critical", LABEL)), bold(criticalBar(critical, chart))],
    [" ".repeat(LABEL), dim(criticalNames(critical, chart))],
    [
      dim(pad("slots", LABEL)),
      styled("cyan", slotsInUse(preview.tasks, preview.slots.planned, chart)),
      dim(tail),
    ],
    ...againstSerial(preview, { width, glyphs }),
  ];
}

/** Rank, task, wave where there are any, needs, time and bar. */
export function rankTable(preview: PlanPreview, { width, glyphs }: Room): Line[] {
  const columns = columnsOf(preview, width);
  const { rankWidth, idWidth, waveWidth, needsWidth } = columns;
  const chart = chartOf(preview, columns.chartWidth, glyphs);
  const isTimed = preview.time.unit === "ms";
  const wave = (text: string) => (waveWidth === 0 ? "" : `${padStart(text, waveWidth)}  `);
  const row = (task: TaskPreview, rank: string): Line => {
    const id = pad(cutMiddle(task.id, idWidth, glyphs.cut), idWidth);
    const needs = pad(names(task.directNeeds, needsWidth, glyphs), needsWidth);
    const line = bar(task, task.critical ? glyphs.bar : glyphs.barThin, chart);
    return [
      dim(padStart(rank, rankWidth)),
      task.critical ? bold(` ${glyphs.critical}${id}`) : `  ${id}`,
      "  ",
      dim(wave(task.wave === null ? "-" : String(task.wave))),
      dim(needs),
      dim(padStart(isTimed ? estimate(task) : "", EST)),
      "  ",
      task.critical ? bold(line) : line,
    ];
  };
  const byId = new Map(preview.tasks.map((task) => [task.id, task]));
  const head = `${pad("rank", rankWidth + 2)}${pad("task", idWidth)}  ${wave("wave")}${pad("needs", needsWidth)}${padStart(isTimed ? "est" : "", EST)}  `;
  const label = `slots in use, ${preview.slots.planned} at most`;
  return [
    [dim(head + axis(chart))],
    ...preview.ranks.flatMap((ids, rank) =>
      ids.map((id, index) => row(byId.get(id) as TaskPreview, index === 0 ? String(rank + 1) : "")),
    ),
    [
      dim(`${padStart(label, cells(head) - 2)}  `),
      styled("cyan", slotsInUse(preview.tasks, preview.slots.planned, chart)),
    ],
    [],
    ...againstSerial(preview, { width, glyphs }),
  ];
}

function columnsOf({ tasks, ranks, waves }: PlanPreview, width: number) {
  const rankWidth = Math.max(3, String(ranks.length).length);
  const longestId = tasks.reduce((most, { id }) => Math.max(most, id.length), "task".length);
  const idWidth = Math.min(LONGEST_ID, longestId);
  const waveWidth = waves.reduce((most, { wave }) => Math.max(most, String(wave).length, "wave".length), 0);
  const room = width - rankWidth - 2 - idWidth - 2 - (waveWidth === 0 ? 0 : waveWidth + 2) - EST - 2;
  const chartWidth = Math.min(LONGEST_CHART, Math.floor(room * 0.7));
  return { rankWidth, idWidth, waveWidth, chartWidth, needsWidth: Math.min(40, room - chartWidth - 2) };
}

/** Two bars on one scale: what all that parallel work saves. */
function againstSerial({ time }: PlanPreview, { width, glyphs }: Room): Line[] {
  const texts = [amount(time.wall, time.unit), amount(time.serial, time.unit)];
  const room = Math.min(LONGEST_CHART, width - LABEL - 1 - Math.max(...texts.map(cells)));
  const chart: Chart = { width: room, total: time.serial, unit: time.unit, glyphs };
  return [
    [dim(pad("parallel", LABEL)), `${bar({ start: 0, end: time.wall }, glyphs.bar, chart)} ${texts[0]}`],
    [dim(pad("serial", LABEL)), `${bar({ start: 0, end: time.serial }, glyphs.barThin, chart)} ${texts[1]}`],
  ];
}

function chartOf(preview: PlanPreview, width: number, glyphs: Glyphs): Chart {
  return { width, total: preview.time.wall, unit: preview.time.unit, glyphs };
}

function criticalTasks(preview: PlanPreview): TaskPreview[] {
  const byId = new Map(preview.tasks.map((task) => [task.id, task]));
  return preview.critical.map((id) => byId.get(id) as TaskPreview);
}

/** `5m`, and `~5m` where the plan does not say; `-` for a step, which counts for nothing. */
export function estimate(task: TaskPreview): string {
  if (task.end === task.start) return "-";
  return `${task.known ? "" : "~"}${shortDuration(task.end - task.start)}`;
}
