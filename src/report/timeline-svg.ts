import type { Timeline, TimelineRow } from "../core/select/timeline.ts";
import { dollars, elapsed } from "../core/text/figures.ts";
import { CELL, cellsOf, escaped, px, type SvgStyle, shortId, svgFile } from "./svg-file.ts";
import { type Bar, type Mark, placePath, placeRow, placeSlots, ROW_HEIGHT } from "./timeline-layout.ts";
import { clockText, type TimeScale, timeScale } from "./timeline-scale.ts";
import { endText, gapText, segmentText, timelineTitle } from "./timeline-text.ts";

export type TimelineSvgOptions = {
  readonly width?: number;
  /** How far the clocks of the reader are ahead of UTC; whoever says nothing gets UTC, and is told. */
  readonly zoneMs?: number;
};

/**
 * The timeline as one SVG file: slots in use, a row a task with all its segments, the critical path below them, the words
 * for a bar on pointing at it.
 */
export function timelineSvg(timeline: Timeline, { width = 1200, zoneMs }: TimelineSvgOptions = {}): string {
  const names = Math.max(120, ...timeline.rows.map(({ row }) => cellsOf(shortId(row.task)) * CELL + 44));
  const plot = Math.max(240, width - names - FIGURES);
  const { from, to, gaps, rows } = timeline;
  const scale = timeScale({ from, to, gaps, width: plot - AIR, zoneMs: zoneMs ?? 0 });
  const clock = (at: number) => clockText(at, { zoneMs: zoneMs ?? 0, withSeconds: true, withDay: false });
  const rowsHeight = rows.length * ROW_HEIGHT;
  const height = HEAD + rowsHeight + FOOT;
  const title = `${timeline.seen.state.run}: ${timelineTitle(timeline)}`;
  const place: Place = { names, width, plot, rowsHeight, scale, clock };
  const body = [
    PATTERNS,
    `<text class="head" x="16" y="26">${escaped(title)}</text>`,
    ...slotsStrip(timeline, place),
    ...axis(timeline, place, zoneMs === undefined),
    `<g transform="translate(0 ${HEAD})">`,
    ...rows.map((row, n) => rowLine(row, n, place)),
    `<g transform="translate(${px(names)} 0)">`,
    ...throughAll(timeline, place),
    ...rows.map((row, n) => rowBars(row, n, place)),
    "</g></g>",
    legend(height - FOOT + 26),
  ];
  return svgFile({ width, height, title, style: STYLE, body });
}

type Place = {
  readonly names: number;
  readonly width: number;
  readonly plot: number;
  readonly rowsHeight: number;
  readonly scale: TimeScale;
  readonly clock: (at: number) => string;
};

const HEAD = 128;
const FOOT = 60;
const SLOTS_TOP = 52;
const SLOTS = 38;
const FIGURES = 124;
const AIR = 110;
const LIGHT =
  "--odd:#FFFFFF;--line:#E3E5E6;--fg3:#5F6772;--you:#A8123A;--agent:#0B57CC;--agent2:#E7EEFA;--plait:#7B2A96;--clock:#8F5E00;--done:#04785E";
const DARK =
  "--odd:#121418;--line:#262B31;--fg3:#8791A0;--you:#FF6E64;--agent:#5AA2FF;--agent2:#1F2B3C;--plait:#D795E0;--clock:#F2CB4A;--done:#3FD6A2";
const RULES = [
  ".plait .odd{fill:var(--odd)}.plait .tick{font-size:11px;fill:var(--fg3)}",
  ".plait path{fill:none}.plait .grid{stroke:var(--line)}.plait .limit,.plait .ready-about{stroke:var(--edge);stroke-dasharray:3 3}",
  ".plait .area{fill:var(--agent2)}.plait .used{stroke:var(--agent);stroke-width:1.25}.plait .break{fill:var(--line)}",
  ".plait .now,.plait .path{stroke:var(--fg)}.plait .path{stroke-width:2}.plait .coming{stroke-dasharray:2 3}",
  ".plait .agent{fill:var(--agent)}.plait .plait-bar{fill:var(--plait)}.plait .red{fill:var(--you)}",
  ".plait .queue{fill:url(#queue)}.plait .parked{fill:url(#parked)}.plait .held{fill:url(#held)}",
  ".plait .hatch-queue{fill:var(--plait)}.plait .hatch-parked{fill:var(--clock)}.plait .hatch-held{fill:var(--you)}",
  ".plait .ready,.plait .backoff{stroke:var(--edge);stroke-width:2;stroke-dasharray:2 3}.plait .backoff{stroke:var(--clock)}",
  ".plait .expected-agent,.plait .expected-plait{fill:none;stroke:var(--agent);stroke-dasharray:2 2}.plait .expected-plait{stroke:var(--plait)}",
  ".plait .done .agent,.plait .done .plait-bar,.plait .done .queue{opacity:.62}.plait .called-off{opacity:.4}",
  ".plait .cross{stroke:var(--bg);stroke-width:1.75}.plait .number{font-size:10px;fill:var(--bg)}.plait .done .number{fill:var(--fg)}",
  ".plait .mark{font-size:11px;fill:var(--fg3)}.plait .mark-merged,.plait .mark-passed{fill:var(--done)}.plait .mark-failed{fill:var(--you)}",
];
const STYLE: SvgStyle = { light: LIGHT, dark: DARK, rules: RULES };

const PATTERNS = `<defs>${["queue", "parked", "held"]
  .map(
    (id) =>
      `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="skewX(-45)"><rect class="hatch-${id}" width="3" height="6"/></pattern>`,
  )
  .join("")}</defs>`;

type At = readonly [x: number, y: number];

function text(mark: string, [x, y]: At, value: string, anchor: "start" | "middle" | "end" = "start"): string {
  const where = `x="${px(x)}" y="${px(y)}"${anchor === "start" ? "" : ` text-anchor="${anchor}"`}`;
  return `<text class="${mark}" ${where}>${escaped(value)}</text>`;
}

function slotsStrip(timeline: Timeline, { names, plot, scale }: Place): string[] {
  const { line, area } = placeSlots(timeline, scale, SLOTS);
  return [
    text("tick", [16, SLOTS_TOP + 8], "slots in use"),
    text("tick", [names - 8, SLOTS_TOP + 4], String(timeline.slots.of), "end"),
    text("tick", [names - 8, SLOTS_TOP + SLOTS], "0", "end"),
    `<g transform="translate(${px(names)} ${SLOTS_TOP})">`,
    `<path class="limit" d="M0 .5H${px(plot)}"/><path class="area" d="${area}"/><path class="used" d="${line}"/></g>`,
  ];
}

function axis(timeline: Timeline, { names, width, scale }: Place, isUtc: boolean): string[] {
  const y = HEAD - 12;
  const { forecast } = timeline.seen;
  return [
    text("tick", [16, y], isUtc ? "times in UTC" : ""),
    ...scale.ticks.map(({ x, label }) => text("tick", [names + x, y], label, x < 20 ? "start" : "middle")),
    ...(forecast === null
      ? []
      : [text("tick", [names + scale.x(forecast.readyAt) + 4, y - 18], "ready about")]),
    text("tick", [width - 66, y], "time", "end"),
    text("tick", [width - 16, y], "cost", "end"),
  ];
}

function throughAll(timeline: Timeline, { rowsHeight, scale, clock }: Place): string[] {
  const { done, coming } = placePath(timeline, scale);
  const { forecast } = timeline.seen;
  const down = (x: number) => `M${px(x)} 0V${rowsHeight}`;
  return [
    `<path class="grid" d="${scale.ticks.map(({ x }) => down(x)).join("")}"/>`,
    ...scale.breaks.map(
      ({ x, width, gap }) =>
        `<rect class="break" x="${px(x)}" width="${width}" height="${rowsHeight}"><title>${escaped(gapText(gap, clock))}</title></rect>`,
    ),
    ...(forecast === null ? [] : [`<path class="ready-about" d="${down(scale.x(forecast.readyAt))}"/>`]),
    `<path class="now" d="${down(scale.x(timeline.now))}"/>`,
    `<path class="path" d="${done}"/>`,
    ...(coming === "" ? [] : [`<path class="path coming" d="${coming}"/>`]),
  ];
}

function rowLine({ row }: TimelineRow, n: number, { width }: Place): string {
  const y = n * ROW_HEIGHT;
  const ground = n % 2 === 0 ? `<rect class="odd" y="${y}" width="${width}" height="${ROW_HEIGHT}"/>` : "";
  const time = row.attempts === 0 ? "-" : elapsed(row.workMs);
  const cost = row.usage.costUsd === null ? "-" : dollars(row.usage.costUsd);
  return [
    ground,
    text("id", [16, y + 16], shortId(row.task)),
    text("more", [width - 66, y + 16], time, "end"),
    text("more", [width - 16, y + 16], cost, "end"),
  ].join("");
}

function rowBars(row: TimelineRow, n: number, { scale, clock }: Place): string {
  const { bars, marks } = placeRow(row, scale);
  const look = row.row.actor === "done" ? ' class="done"' : "";
  const drawn = bars.map(
    (bar) =>
      `<g><title>${escaped(`${row.row.task}: ${segmentText(row, bar.of, clock)}`)}</title>${shape(bar)}</g>`,
  );
  const ends = marks.map((mark) => endSign(mark, clock));
  return `<g${look} transform="translate(0 ${n * ROW_HEIGHT})">${drawn.join("")}${ends.join("")}</g>`;
}

function shape({ look, x, y, width, height, label, isCalledOff }: Bar): string {
  const middle = ROW_HEIGHT / 2;
  if (look === "ready" || look === "backoff")
    return `<path class="${look}" d="M${px(x)} ${middle}h${px(width)}"/>`;
  const mark = `${look === "plait" ? "plait-bar" : look}${isCalledOff ? " called-off" : ""}`;
  const box = `<rect class="${mark}" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="2"/>`;
  const cross = `<path class="cross" d="M${px(x + width / 2 - 2.5)} ${middle - 2.5}l5 5m0 -5l-5 5"/>`;
  return `${box}${look === "red" ? cross : ""}${label === null ? "" : text("number", [label.x, middle + 3.5], label.text)}`;
}

const SIGNS = { merged: "✓", passed: "✓", failed: "✗", skipped: "∅", dropped: "∅" } as const;

function endSign({ x, end, isLast }: Mark, clock: Place["clock"]): string {
  const note = isLast && end.note !== null ? ` ${end.note}` : "";
  const sign = `${SIGNS[end.kind]}${note}`;
  return `<g><title>${escaped(endText(end, clock))}</title>${text(`mark mark-${end.kind}`, [x - 5, 16], sign)}</g>`;
}

function legend(y: number): string {
  const waits = "hatched: queued, paused, held; dotted: retrying, waiting";
  const others = "solid: agent, gate, merge, red gate or conflict; dashed: expected; line: critical path";
  return `${text("tick", [16, y], waits)}\n${text("tick", [16, y + 18], others)}`;
}
