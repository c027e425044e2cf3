import type { EpochMs } from "../../../core/facts.ts";
import type { TaskId } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { type BallGroups, ballGroups } from "../../../core/select/ball-groups.ts";
import { type Overview, overview } from "../../../core/select/overview.ts";
import type { Activities, TaskRow } from "../../../core/select/task-rows.ts";
import type { Glyphs } from "../glyphs.ts";
import { dim, type Line } from "../line.ts";
import { banner } from "./banner.ts";
import { type Block, groupLines, namedCounts, needYouLine, plainCounts } from "./groups.ts";
import { cutLine, type Interrupt } from "./look.ts";
import { narrowBlock, tinyLine } from "./narrow.ts";
import { columnsOf, type RowLook } from "./rows.ts";
import { barLine, headLine, progressLine } from "./summary.ts";

/** A run while it runs, as a block of lines below those that stay. */
export type LiveView = { readonly state: RunState; readonly now: EpochMs; readonly activity: Activities };

export type LiveLook = {
  /** Of the terminal, in cells and lines; the block leaves one line for the cursor. */
  readonly width: number;
  readonly height: number;
  readonly glyphs: Glyphs;
  /** Which sign of the spinner; null stands still. */
  readonly frame: number | null;
  readonly selected?: TaskId | null;
  readonly interrupt?: Interrupt;
};

const TINY = 30;
const NARROW = 60;

export function liveBlock(view: LiveView, look: LiveLook): Line[] {
  return drawBlock(readRun(view), look);
}

/** What is shown, before it is known how: it costs the number of tasks, and holds until something happens. */
export type LiveRun = LiveView & {
  readonly summary: Overview;
  readonly groups: BallGroups;
};

export function readRun(view: LiveView): LiveRun {
  const summary = overview(view.state, view.now, { activity: view.activity });
  return { ...view, summary, groups: ballGroups(summary.rows) };
}

export function drawBlock({ summary, groups, now, activity }: LiveRun, look: LiveLook): Line[] {
  const { selected = null, interrupt = "stops", ...size } = look;
  const room = Math.max(1, look.height - 1);
  if (look.width < TINY || room < 3) return [tinyLine(summary, size)];
  const rowLook = {
    ...size,
    selected,
    interrupt,
    now,
    activity,
    columns: columnsOf(summary.rows, look.width),
  };
  const block = look.width < NARROW ? narrowBlock : wideBlock;
  return block({ summary, groups, look: rowLook, room }).map((line) => cutLine(line, look));
}

/** What has no room goes in this order: waiting rows, blank lines, rows of the queue, rows that wait, running rows. */
function wideBlock(block: Block): Line[] {
  // Thousands of rows are not drawn only to see that they do not fit.
  const first = block.groups.later.length > block.room ? 1 : 0;
  for (const drop of [0, 1, 2, 3, 4].slice(first)) {
    const lines = assemble(block, drop);
    if (lines.length <= block.room) return lines;
  }
  return withFewerAgents(block);
}

const blank: Line = [];

function assemble(block: Block, drop: number): Line[] {
  const { summary, groups, look } = block;
  const parts = [
    topLines(block),
    groupLines("agents", groups.agents, look),
    drop < 3 ? groupLines("plait", groups.plait, look) : plainCounts(groups.plait, look),
    drop < 4 ? groupLines("clock", groups.clock, look) : plainCounts(groups.clock, look),
    drop < 4 ? groupLines("you", groups.you, look) : needYouLine(groups.you, look.columns.gutter, look),
    drop < 1 ? groupLines("later", groups.later, look) : namedCounts(groups.later, look),
    summary.state.ended === null ? [keyLine(look)] : [],
  ].filter((lines) => lines.length > 0);
  return parts.flatMap((lines, n) => (n === 0 || drop >= 2 ? lines : [blank, ...lines]));
}

function topLines({ summary, look }: Block): Line[] {
  const top = [headLine(summary, look), barLine(summary, look), progressLine(summary, look)];
  return [...top, ...banner(summary.state, look)];
}

/** Keys of its own come later; this one a terminal has anyway. */
function keyLine({ columns, interrupt }: RowLook): Line {
  const says = interrupt === "stops" ? "^C stops and saves" : "^C leaves it going";
  return [" ".repeat(columns.gutter > 1 ? 0 : 1), dim(says)];
}

/** As many agents as fit, the selected one and what decides the end first; what needs a person stays whatever goes. */
function withFewerAgents(block: Block): Line[] {
  const { groups, look, room } = block;
  const must = needYouLine(groups.you, look.columns.gutter, look);
  const whole = topLines(block);
  const top = whole.slice(Math.max(0, whole.length + must.length - room));
  const counts = [
    ...plainCounts(groups.plait, look),
    ...plainCounts(groups.clock, look),
    ...namedCounts(groups.later, look),
    keyLine(look),
  ];
  const agents = [...groups.agents].sort((a, b) => Number(isSelected(b, look)) - Number(isSelected(a, look)));
  const left = room - top.length - must.length;
  // One agent at work and the number of the others are worth more than the counts of who waits.
  const kept = counts.slice(0, Math.max(0, left - Math.min(2, agents.length)));
  return [...top, ...someAgents(agents, left - kept.length, look), ...must, ...kept];
}

const isSelected = ({ task }: TaskRow, { selected }: RowLook): boolean => task === selected;

function someAgents(agents: readonly TaskRow[], room: number, look: RowLook): Line[] {
  if (room <= 0) return [];
  if (agents.length <= room) return groupLines("agents", agents, look);
  const shown = groupLines("agents", agents.slice(0, room - 1), look);
  return [...shown, [" ".repeat(look.columns.gutter), dim(`+${agents.length - shown.length} more`)]];
}
