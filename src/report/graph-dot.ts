import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import { printable } from "../util/printable.ts";
import {
  type GraphEdge,
  type GraphWave,
  graphEdges,
  graphTitle,
  graphWaves,
  taskLine,
  taskTooltip,
} from "./graph-text.ts";

/**
 * The plan as a Graphviz file: `plait plan plan.yaml --graph dot | dot -Tpdf > plan.pdf`. A wave is a cluster, and
 * between two of them stands the barrier.
 */
export function dotGraph(preview: PlanPreview): string {
  const ids = preview.tasks.map(({ id }) => quoted(id));
  const edges = graphEdges(preview);
  const waves = graphWaves(preview);
  // A rank across clusters would tear its tasks out of them; there the barriers keep the order.
  const ranks = waves.length > 0 ? [] : preview.ranks;
  return [
    `digraph ${quoted(preview.name)} {`,
    `  // Bold: critical path. Needs that others imply are left out.`,
    `  graph [rankdir=LR, tooltip=${quoted(graphTitle(preview))}, fontname="monospace"];`,
    `  node [shape=box, style=rounded, fontname="monospace", fontsize=11];`,
    `  edge [color="#848C95", arrowsize=0.6];`,
    ...preview.tasks.map((task) => `  ${node(preview, task)}`),
    ...ranks.map((rank) => `  { rank=same; ${rank.map(quoted).join("; ")} }`),
    ...waves.map(
      ({ label, tasks }, index) =>
        `  subgraph cluster_${index} { label=${quoted(label)}; style=dashed; color="#848C95"; ${list(tasks, ids)} }`,
    ),
    ...barriers(preview, waves, edges).map((line) => `  ${line}`),
    ...edges.map(
      ({ from, to, critical }) =>
        `  ${ids[from]} -> ${ids[to]}${critical ? ' [penwidth=2, color="#15181C"]' : ""};`,
    ),
    "}",
    "",
  ].join("\n");
}

/** Lines from the tasks at the end of a wave and to those at the start of the next: as many as tasks, not as pairs. */
function barriers(preview: PlanPreview, waves: readonly GraphWave[], edges: readonly GraphEdge[]): string[] {
  const ids = preview.tasks.map(({ id }) => quoted(id));
  const inside = edges.filter(({ from, to }) => preview.tasks[from]?.wave === preview.tasks[to]?.wave);
  const [notLast, notFirst] = [new Set(inside.map(({ from }) => from)), new Set(inside.map(({ to }) => to))];
  const look = 'style=dotted, arrowhead=none, color="#848C95"';
  return waves.slice(1).flatMap((after, index) => {
    const before = waves[index] as GraphWave;
    const name = quoted(`${before.label} done`); // no id of a task has a blank
    const ends = before.tasks.filter((task) => !notLast.has(task));
    const starts = after.tasks.filter((task) => !notFirst.has(task));
    return [
      `${name} [shape=plaintext];`,
      `{ ${list(ends, ids)} } -> ${name} [${look}];`,
      `${name} -> { ${list(starts, ids)} } [${look}];`,
    ];
  });
}

const list = (tasks: readonly number[], ids: readonly string[]): string =>
  tasks.map((task) => ids[task]).join("; ");

function node(preview: PlanPreview, task: TaskPreview): string {
  const label = quoted(`${task.id}\n${taskLine(preview, task)}`);
  const width = task.critical ? ", penwidth=2" : "";
  return `${quoted(task.id)} [label=${label}, tooltip=${quoted(taskTooltip(preview, task))}${width}];`;
}

/** A backslash and an ampersand mean something inside DOT strings; everything else but the quote is plain. */
function quoted(text: string): string {
  const escaped = printable(text)
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
