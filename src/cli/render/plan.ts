import type { EachNote } from "../../core/each/expand.ts";
import type { HubFile } from "../../core/select/preview/hub-files.ts";
import type { PlanPreview, TaskPreview } from "../../core/select/preview/preview.ts";
import type { Command } from "../../core/text/command.ts";
import { amount, count, dollars, factor, listed, shortDuration } from "../../core/text/figures.ts";
import { nextCommand } from "./diagnostics.ts";
import { axis, bar, type Chart, criticalBar, criticalNames, slotsInUse } from "./gantt.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { planSections } from "./plan-sections.ts";
import { LABEL, leftAndRight, NARROW, names, type Room, section, shortId, wrapParts } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, cutMiddle, cutPath, pad, padStart, wrapWords } from "./width.ts";

/** What a run of the plan would look like, for people: what it takes first, then how it goes, then what it touches. */
export type PlanView = {
  readonly width: number;
  readonly glyphs: Glyphs;
  readonly warnings: number;
  /** Tasks of the file that stand for many. */
  readonly each: readonly EachNote[];
  /** How many tasks they may become. */
  readonly maxTasks: number;
  /** The command to type now. */
  readonly next: Command;
  /** How copies are made; null where nothing is copied. */
  readonly copyBy?: "reflink" | "copy" | null;
  /** Commands that run in worktrees where a task changes a lock file. */
  readonly installs?: readonly { readonly lock: string; readonly command: string }[];
  /** Paths to copy where there is nothing to copy. */
  readonly uncopied?: readonly string[];
  /** Dependency folders that worktrees do not get, because git does not ignore them. */
  readonly notIgnored?: readonly string[];
  /** Setup commands with a result that other worktrees get: of their installers, or null as the plan declares it. */
  readonly reused?: readonly { readonly command: string; readonly installs: string | null }[];
  /** Files that the history says several tasks will change. */
  readonly hubs?: readonly HubFile[];
};

/** From here on there is a row a task, with its bar. */
const WIDE = 100;

export function renderPlan(preview: PlanPreview, view: PlanView): Line[] {
  return [
    ...header(preview, view),
    [],
    ...graphLines(preview, view),
    ...(view.width >= NARROW && view.width < WIDE ? [[], ...ganttRows(preview, view)] : []),
    [],
    ...section("each", eachRows(view), view),
    ...planSections(preview, view),
    [],
    ...leftAndRight(validLine(view), nextCommand(view.next, view.glyphs), view.width),
  ];
}

/** The order of the tasks: a row each with its needs where there is room, else a rank a line. */
export function graphLines(preview: PlanPreview, room: Room): Line[] {
  return room.width >= WIDE ? rankTable(preview, room) : rankLines(preview, room);
}

function header(preview: PlanPreview, { width, glyphs }: PlanView): Line[] {
  const name = shown(preview.name, glyphs);
  const [first = "", ...more] = wrapWords(`${name}  ${sizeText(preview, glyphs)}`, width);
  // The name may be so long that it is wrapped itself.
  const head: Line = first.startsWith(name) ? [bold(name), first.slice(name.length)] : [bold(first)];
  const path = shown(preview.source.path, glyphs);
  const paths = width < NARROW ? wrapWords(path, width) : [cutPath(path, Math.min(width, 60), glyphs.cut)];
  return [
    ...(more.length === 0 && paths.length === 1
      ? leftAndRight(head, [dim(paths[0] as string)], width)
      : [head, ...[...more, ...paths].map((line): Line => [dim(line)])]),
    ...wrapWords(timeLine(preview), width).map((line): Line => [line]),
    ...wrapWords(accessLine(preview), width).map((line): Line => [styled("yellow", line)]),
  ];
}

function sizeText({ size, agents }: PlanPreview, glyphs: Glyphs): string {
  const steps = size.needs === 0 ? [] : [`in ${count(size.ranks, "step")}`];
  const counts = [[count(size.tasks, "task"), ...steps].join(" ")];
  const waves = size.waves === 0 ? [] : [count(size.waves, "wave")];
  const work = [
    ...agents.map(({ name, tasks }) => `${shown(name, glyphs)} ${tasks}`),
    ...(size.commands === 0 ? [] : [`command ${size.commands}`]),
  ];
  return `${[...counts, ...waves].join(", ")}; ${work.join(", ")}`;
}

export function timeLine({ time, slots, cost, tasks }: PlanPreview): string {
  const serial = `${amount(time.serial, time.unit)} serially (${factor(time.speedUp)})`;
  const line = `${amount(time.wall, time.unit)} on ${count(slots.planned, "slot")}, ${serial}${price(cost)}`;
  if (time.unit === "task") return `${line}; no times are stated, so each task counts as one`;
  const guessed = tasks.length - time.known;
  if (guessed === 0) return line;
  return `${line}; ${count(guessed, "time")} guessed (~): the median of the stated ones`;
}

/** What is not known is said with the figure, where everybody looks. */
function price(cost: PlanPreview["cost"]): string {
  if (cost === null) return "";
  if (cost.total !== null) return `, about ${dollars((cost.total.low + cost.total.high) / 2)}`;
  const unknown = `${cost.agentTasks - cost.counted} of ${count(cost.agentTasks, "task")} unknown`;
  return `, at least ${dollars(cost.known.low)}, ${unknown}`;
}

/** Said in every plan, because a person must know it before a run. */
function accessLine({ access: { bypassed, readOnly, sandbox } }: PlanPreview): string {
  const agents = bypassed.length + readOnly.length;
  if (sandbox !== undefined) {
    const granted = sandbox.grants.length === 0 ? "" : `, with access to ${listed(sandbox.grants)}`;
    return `in the sandbox${sandbox.mode === "auto" ? " if it works here" : ""}${granted}`;
  }
  if (agents === 0) return "no agents: the commands below run as you";
  if (bypassed.length === 0) return "agents may only read";
  const who = readOnly.length === 0 ? "agents" : `${bypassed.length} of ${agents} agents`;
  return `${who} with full access: permission prompts bypassed, no sandbox`;
}

/** `port  12 tasks, file in `src/**`: port-a.js, port-b.js, +10`. */
function eachRows({ each, maxTasks, width, glyphs }: PlanView): string[][] {
  if (each.length === 0) return [];
  const rows = each.map(({ id, from, tasks, known }) => {
    const many = known ? `${count(tasks.length, "task")}, ` : "as many tasks as there will be values, ";
    return [
      shortId(shown(id, glyphs), glyphs),
      `${many}${shown(from, glyphs)}: ${names(tasks, width, glyphs)}`,
    ];
  });
  return [...rows, ["", `a plan may have ${maxTasks} tasks; --max-tasks sets it`]];
}

/** A rank a line; where a wave begins, its number stands above. */
function rankLines(preview: PlanPreview, { width, glyphs }: Room): Line[] {
  const byId = new Map(preview.tasks.map((task) => [task.id, task]));
  const digits = String(preview.ranks.length).length;
  const waveAt = new Map(preview.waves.map(({ wave, firstRank }) => [firstRank, wave]));
  return preview.ranks.flatMap((ids, index) => {
    const parts = ids.map((id) => taskPart(byId.get(id) as TaskPreview, preview, { width, glyphs }));
    const rank = dim(`${padStart(String(index + 1), digits)} `);
    const wave = waveAt.get(index + 1);
    const lines = wrapParts(parts, width - digits - 1);
    return [
      ...(wave === undefined ? [] : [[dim(`wave ${wave}`)]]),
      ...lines.map((line, row): Line => [row === 0 ? rank : " ".repeat(digits + 1), ...line]),
    ];
  });
}

function taskPart(task: TaskPreview, preview: PlanPreview, { width, glyphs }: Room): Line {
  const id = cutMiddle(task.id, Math.min(24, width - 12), glyphs.cut);
  const time = preview.time.unit === "ms" ? [" ", dim(estimate(task))] : [];
  const free = preview.waves.length > 0 && task.wave === null ? [dim(" (no wave)")] : [];
  return [task.critical ? bold(`${glyphs.critical}${id}`) : ` ${id}`, ...time, ...free];
}

function validLine({ warnings }: PlanView): Line {
  return warnings === 0
    ? ["plan is valid"]
    : ["plan is valid, ", styled("yellow", count(warnings, "warning"))];
}

/** The expected run over time: one row for the critical path where there is little room, else a row a task. */
const LONGEST_ID = 24;
const EST = 6;
const LONGEST_CHART = 72;

/** Critical path, slots in use, and the whole against one task after the other. */
function ganttRows(preview: PlanPreview, { width, glyphs }: Room): Line[] {
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
function rankTable(preview: PlanPreview, { width, glyphs }: Room): Line[] {
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
function estimate(task: TaskPreview): string {
  if (task.end === task.start) return "-";
  return `${task.known ? "" : "~"}${shortDuration(task.end - task.start)}`;
}
