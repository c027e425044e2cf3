import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import type { NextActor } from "../core/select/task-status.ts";
import {
  type Box,
  curve,
  GAP_BETWEEN_COLUMNS,
  type GraphLayout,
  layoutGraph,
  type Span,
} from "./graph-layout.ts";
import { type GraphEdge, type GraphWords, graphEdges, planWords } from "./graph-text.ts";
import { CELL, cellsOf, escaped, px, type SvgStyle, shortId, svgFile } from "./svg-file.ts";

/**
 * The plan as one SVG file: a column a rank, a line between two waves, the critical path in bold, light or dark as the
 * reader's system is, the rest of a task on pointing at it. With the words of a run, each task shows where it stands.
 */
export function svgGraph(preview: PlanPreview, words: GraphWords = planWords(preview)): string {
  const edges = graphEdges(preview, words.critical);
  const critical = new Set(words.critical);
  const layout = layoutGraph({
    column: preview.tasks.map((task) => task.rank - 1),
    widths: preview.tasks.map((task) => nodeWidth(words, task)),
    edges,
    nodeHeight: NODE_HEIGHT,
  });
  const waves = preview.waves.length > 0 ? WAVES_HEIGHT : 0;
  const width = Math.ceil(Math.max(layout.width, headWidth(words)) + 2 * MARGIN);
  const height = Math.ceil(layout.height + HEAD_HEIGHT + waves + 2 * MARGIN);
  const body = [
    head(words),
    `<g transform="translate(${MARGIN} ${MARGIN + HEAD_HEIGHT + waves})">`,
    ...waveLines(preview, layout),
    ...edgePaths(edges, layout),
    ...preview.tasks.map((task, index) =>
      node({ words, task, isCritical: critical.has(task.id) }, layout.nodes[index] as Box),
    ),
    "</g>",
  ];
  return svgFile({ width, height, title: words.title, style: styleFor(preview, words), body });
}

const NODE_HEIGHT = 44;
const MIN_NODE_WIDTH = 104;
const MARGIN = 24;
const HEAD_HEIGHT = 52;
/** Above the nodes, for the names of waves. */
const WAVES_HEIGHT = 28;
const PADDING = 12;
const HEAD_CELL = 9.3;

const LIGHT = "--node:#FFFFFF;--line:#C3C8CD";
const DARK = "--node:#15181C;--line:#3A424B";
const RULES = [
  ".plait rect.node{fill:var(--node);stroke:var(--line);rx:6px}",
  ".plait line{stroke:var(--line);stroke-width:1;stroke-dasharray:4 4}",
  ".plait path{fill:none;stroke:var(--edge);stroke-width:1.25}",
  ".plait .critical .node{stroke:var(--fg);stroke-width:2}",
  ".plait .critical .id{font-weight:600}",
  ".plait path.critical{stroke:var(--fg);stroke-width:2}",
];

/** Colors of the web UI, only those that occur here. */
const ACTORS: { readonly [B in NextActor]: readonly [light: string, dark: string] } = {
  you: ["#A8123A", "#FF6E64"],
  agents: ["#0B57CC", "#5AA2FF"],
  plait: ["#7B2A96", "#D795E0"],
  clock: ["#8F5E00", "#F2CB4A"],
  done: ["#04785E", "#3FD6A2"],
  later: ["#5F6772", "#8791A0"],
};

function styleFor({ tasks }: PlanPreview, { actor }: GraphWords): SvgStyle {
  const actors = [...new Set(tasks.map(actor))].filter((one) => one !== null).sort();
  const rules = actors.map((one) => {
    const [light, dark] = ACTORS[one];
    return `.plait .${one}{--actor:${light}}@media(prefers-color-scheme:dark){.plait .${one}{--actor:${dark}}}`;
  });
  return { light: LIGHT, dark: DARK, rules: rules.length === 0 ? RULES : [...RULES, ...rules, STATES] };
}

const STATES =
  ".plait .actor rect.node{stroke:var(--actor)}.plait .actor .mark{fill:var(--actor)}.plait .actor .more{fill:var(--actor)}";

function head({ title, about }: GraphWords): string {
  return [
    `<text class="head" x="${MARGIN}" y="${MARGIN + 12}">${escaped(title)}</text>`,
    `<text class="more" x="${MARGIN}" y="${MARGIN + 32}">${escaped(about)}</text>`,
  ].join("\n");
}

function headWidth({ title, about }: GraphWords): number {
  return Math.max(cellsOf(title) * HEAD_CELL, cellsOf(about) * CELL);
}

/** The tasks of a wave stand right of its line, those of all waves before it left of it. */
function waveLines({ waves }: PlanPreview, { columns, height }: GraphLayout): string[] {
  return waves.map(({ wave, firstRank }, index) => {
    const { x } = columns[firstRank - 1] as Span;
    const between = px(x - GAP_BETWEEN_COLUMNS / 2);
    const line = `<line x1="${between}" x2="${between}" y1="${8 - WAVES_HEIGHT}" y2="${px(height)}"/>`;
    const label = `<text class="more" x="${px(x)}" y="${20 - WAVES_HEIGHT}">wave ${wave}</text>`;
    return index === 0 ? label : line + label;
  });
}

/** Those of the critical path last, so that they lie on top. */
function edgePaths(edges: readonly GraphEdge[], layout: GraphLayout): string[] {
  const paths = edges.map((edge, index) => {
    const mark = edge.critical ? ' class="critical"' : "";
    return { critical: edge.critical, path: `<path${mark} d="${curve(layout.edges[index] ?? [])}"/>` };
  });
  return [...paths.filter(({ critical }) => !critical), ...paths.filter(({ critical }) => critical)].map(
    ({ path }) => path,
  );
}

type Node = { readonly words: GraphWords; readonly task: TaskPreview; readonly isCritical: boolean };

function node({ words, task, isCritical }: Node, { x, y, width, height }: Box): string {
  const text = (mark: string, dy: number, value: string) =>
    `<text class="${mark}" x="${px(x + PADDING)}" y="${px(y + dy)}">${escaped(value)}</text>`;
  const actor = words.actor(task);
  const marks = [...(isCritical ? ["critical"] : []), ...(actor === null ? [] : ["actor", actor])];
  return [
    `<g${marks.length === 0 ? "" : ` class="${marks.join(" ")}"`}><title>${escaped(words.tooltip(task))}</title>`,
    `<rect class="node" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${height}" rx="6"/>`,
    actor === null
      ? ""
      : `<rect class="mark" x="${px(x)}" y="${px(y + 8)}" width="4" height="${height - 16}" rx="2"/>`,
    `${text("id", 18, shortId(task.id))}${text("more", 35, words.line(task))}</g>`,
  ].join("");
}

function nodeWidth(words: GraphWords, task: TaskPreview): number {
  const cells = Math.max(cellsOf(shortId(task.id)), cellsOf(words.line(task)));
  return Math.max(MIN_NODE_WIDTH, Math.ceil(cells * CELL + 2 * PADDING));
}
