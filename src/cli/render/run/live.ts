import type { EpochMs } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { type ActorGroups, groupByActor } from "../../../core/select/actor-text.ts";
import { type Overview, overview } from "../../../core/select/overview.ts";
import type { Activities, TaskRow } from "../../../core/select/task-rows.ts";
import { dim, type Line } from "../line.ts";
import { banner, countBannerLines } from "./banner.ts";
import { footLines, squeezed } from "./foot.ts";
import { type Block, counted, groupLines, withSelected } from "./groups.ts";
import { cutLine } from "./look.ts";
import { narrowBlock, tinyBlock } from "./narrow.ts";
import { type Columns, columnsOf, type Foot, type RowLook } from "./rows.ts";
import { barLine, headLine, progressLine } from "./summary.ts";

/** A run while it runs, as a block of lines below those that stay. */
export type LiveView = { readonly state: RunState; readonly now: EpochMs; readonly activity: Activities };

/** Of the terminal, in cells and lines; the block leaves one line for the cursor. */
export type LiveLook = Pick<RowLook, "width" | "glyphs" | "frame"> & { readonly height: number } & Partial<
    Pick<RowLook, "selected" | "interrupt" | "foot">
  >;

const NO_KEYS: Foot = { kind: "none" };
const TINY = 30;
const NARROW = 60;

export function liveBlock(view: LiveView, look: LiveLook): Line[] {
  return drawBlock(readRun(view), look);
}

/** What is shown, before it is known how: it costs the number of tasks, and holds until something happens. */
export type LiveRun = LiveView & { readonly summary: Overview; readonly groups: ActorGroups };

export function readRun(view: LiveView): LiveRun {
  const summary = overview(view.state, view.now, { activity: view.activity });
  return { ...view, summary, groups: groupByActor(summary.rows) };
}

export function drawBlock({ summary, groups, now, activity }: LiveRun, look: LiveLook): Line[] {
  const { selected = null, interrupt = "stops", foot = NO_KEYS, ...size } = look;
  const room = Math.max(1, look.height - 1);
  if (look.width < TINY || room < 3) return tinyBlock(summary, { ...size, foot, room });
  const { columns } = lastingOf(summary, look);
  const rowLook: RowLook = { ...size, selected, interrupt, foot, now, activity, columns };
  const block = look.width < NARROW ? narrowBlock : wideBlock;
  return block({ summary, groups, look: rowLook, room }).map((line) => cutLine(line, look));
}

/** What holds as long as the figures do, which is a second: it is not made anew for every turn of a sign. */
type Lasting = { readonly key: string; readonly columns: Columns; top: readonly Line[] | null };
const lasting = new WeakMap<Overview, Lasting>();

function lastingOf(
  summary: Overview,
  { width, height, glyphs, interrupt = "stops" }: Omit<LiveLook, "frame">,
): Lasting {
  const key = `${width} ${height} ${glyphs.ascii} ${interrupt}`;
  const known = lasting.get(summary);
  if (known?.key === key) return known;
  const made = { key, columns: columnsOf(summary.rows, width), top: null };
  lasting.set(summary, made);
  return made;
}

/** What has no room goes in this order: waiting rows, blank lines, rows of the queue, rows that wait, running rows. */
function wideBlock(block: Block): Line[] {
  // Rows are not drawn only to see that they do not fit.
  if (block.groups.agents.length >= block.room) return withFewerAgents(block);
  const parts = partsOf(block);
  const first = block.groups.later.length > block.room ? 1 : 0;
  for (const drop of [0, 1, 2, 3, 4].slice(first)) {
    const lines = assemble(parts, drop);
    if (lines.length <= block.room - (drop === 0 ? STAYING : 0)) return lines;
  }
  return withFewerAgents(block);
}

/** What happened last is worth more than the rows of who waits: so many lines of what stays are in view. */
const STAYING = 2;

const blank: Line = [];

/** Each drawn once, when it is first wanted. */
type Parts = { readonly [P in "top" | "agents" | "foot"]: () => readonly Line[] } & {
  readonly [P in "plait" | "clock" | "you" | "later"]: {
    readonly rows: () => Line[];
    readonly counts: () => Line[];
  };
};

function partsOf(block: Block): Parts {
  const { summary, groups, look } = block;
  const group = (name: "plait" | "clock" | "you" | "later") => ({
    rows: once(() => groupLines(name, groups[name], look)),
    counts: once(() => counted(name, block)),
  });
  return {
    top: once(() => topLines(block)),
    agents: once(() => groupLines("agents", groups.agents, look)),
    plait: group("plait"),
    clock: group("clock"),
    you: group("you"),
    later: group("later"),
    foot: once(() => (summary.state.ended === null ? footLines(look) : [])),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function assemble({ top, agents, plait, clock, you, later, foot }: Parts, drop: number): Line[] {
  const parts = [
    top(),
    agents(),
    drop < 3 ? plait.rows() : plait.counts(),
    drop < 4 ? clock.rows() : clock.counts(),
    drop < 4 ? you.rows() : you.counts(),
    drop < 1 ? later.rows() : later.counts(),
    foot(),
  ].filter((lines) => lines.length > 0);
  // Where rows became counts, the keys stand right below them.
  const isApart = (n: number) => n > 0 && drop < 2 && (drop < 1 || n < parts.length - 1);
  return parts.flatMap((lines, n) => (isApart(n) ? [blank, ...lines] : lines));
}

function topLines({ summary, look, room }: Block): readonly Line[] {
  const kept = lastingOf(summary, { ...look, height: room + 1 });
  // The third is there before there is anything to say: what stands below must not jump when there is.
  kept.top ??= [
    headLine(summary, look),
    barLine(summary, look),
    progressLine(summary, look),
    ...banner(summary, { ...look, most: countBannerLines(room) }),
  ];
  return kept.top;
}

/** As many agents as fit, the selected one and what decides the end first; what needs a person stays whatever goes. */
function withFewerAgents(block: Block): Line[] {
  const { groups, look, room } = block;
  const isAsked = look.foot.kind === "lines";
  const foot = isAsked ? [] : footLines(look);
  const you = counted("you", block);
  // A question or an answer is worth more than any figure: somebody waits for it.
  const asked =
    look.foot.kind === "lines" ? squeezed(look.foot, Math.max(2, room - you.length - 1), look) : [];
  const whole = topLines(block);
  const top = whole.slice(Math.max(0, whole.length + you.length + asked.length - room));
  const counts = [
    ...counted("plait", block),
    ...counted("clock", block),
    ...counted("later", block),
    ...foot,
  ];
  const left = room - top.length - you.length - asked.length;
  // One agent at work and the number of the others are worth more than the counts of who waits.
  const kept = counts.slice(0, Math.max(0, left - Math.min(2, groups.agents.length)));
  const agents = someAgents(groups.agents, left - kept.length, look);
  return [...top, ...agents, ...you, ...kept, ...asked];
}

function someAgents(agents: readonly TaskRow[], room: number, look: RowLook): Line[] {
  if (room <= 0) return [];
  if (agents.length <= room) return groupLines("agents", agents, look);
  const shown = groupLines("agents", withSelected(agents, room - 1, look), look);
  return [...shown, [" ".repeat(look.columns.gutter), dim(`+${agents.length - shown.length} more`)]];
}
