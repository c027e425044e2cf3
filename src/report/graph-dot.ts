import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import { graphEdges, graphTitle, printable, taskLine, taskTooltip } from "./graph-text.ts";

/** The plan as a Graphviz file: `plait plan plan.yaml --graph dot | dot -Tpdf > plan.pdf`. */
export function dotGraph(preview: PlanPreview): string {
  const ids = preview.tasks.map(({ id }) => quoted(id));
  return [
    `digraph ${quoted(preview.name)} {`,
    `  // Bold: critical path. Needs that others imply are left out.`,
    `  graph [rankdir=LR, tooltip=${quoted(graphTitle(preview))}, fontname="monospace"];`,
    `  node [shape=box, style=rounded, fontname="monospace", fontsize=11];`,
    `  edge [color="#848C95", arrowsize=0.6];`,
    ...preview.tasks.map((task) => `  ${node(preview, task)}`),
    ...preview.ranks.map((rank) => `  { rank=same; ${rank.map(quoted).join("; ")} }`),
    ...graphEdges(preview).map(
      ({ from, to, critical }) =>
        `  ${ids[from]} -> ${ids[to]}${critical ? ' [penwidth=2, color="#15181C"]' : ""};`,
    ),
    "}",
    "",
  ].join("\n");
}

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
