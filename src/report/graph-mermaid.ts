import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import { mermaidText } from "../util/mermaid-text.ts";
import { graphEdges, graphTitle, graphWaves, taskLine } from "./graph-text.ts";

/** Mermaid refuses to draw more than this by default, and a diagram cannot raise it. */
export const MERMAID_EDGE_LIMIT = 500;

const TITLE_LIMIT = 48;

/** How many lines a Mermaid graph has between tasks and between waves. */
export function mermaidEdges(preview: PlanPreview): number {
  const needs = preview.tasks.reduce((sum, task) => sum + task.directNeeds.length, 0);
  return needs + Math.max(0, preview.waves.length - 1);
}

/** The plan as a Mermaid flowchart, for Markdown pages. A wave is a subgraph; a line leads from each to the next. */
export function mermaidGraph(preview: PlanPreview): string {
  const critical = preview.tasks.flatMap((task, index) => (task.critical ? [`t${index}`] : []));
  const waves = graphWaves(preview);
  // Keys are made up: an id such as "end" would be a keyword.
  const nodes = preview.tasks.map((task, index) => `t${index}["${label(preview, task)}"]`);
  const free = nodes.filter((_, index) => preview.tasks[index]?.wave === null);
  return [
    "flowchart LR",
    `  %% ${mermaidText(graphTitle(preview))}. Thick: critical path. Needs that others imply are left out.`,
    ...waves.flatMap(({ label: name, tasks }, index) => [
      `  subgraph w${index}["${name}"]`,
      ...tasks.map((task) => `    ${nodes[task]}`),
      "  end",
    ]),
    ...free.map((node) => `  ${node}`),
    ...graphEdges(preview).map((edge) => `  t${edge.from} ${edge.critical ? "==>" : "-->"} t${edge.to}`),
    ...waves.slice(1).map((_, index) => `  w${index} --> w${index + 1}`),
    ...(critical.length === 0
      ? []
      : ["  classDef critical stroke-width:3px", `  class ${critical.join(",")} critical`]),
    "",
  ].join("\n");
}

function label(preview: PlanPreview, task: TaskPreview): string {
  const lines = [task.id, ...(task.title === task.id ? [] : [cut(task.title)]), taskLine(preview, task)];
  return lines.map(mermaidText).join("<br/>");
}

function cut(title: string): string {
  const chars = [...title];
  return chars.length <= TITLE_LIMIT ? title : `${chars.slice(0, TITLE_LIMIT - 1).join("")}…`;
}
