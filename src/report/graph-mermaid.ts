import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import { graphEdges, graphTitle, printable, taskLine } from "./graph-text.ts";

/** Mermaid refuses to draw more than this by default, and a diagram cannot raise it. */
export const MERMAID_EDGE_LIMIT = 500;

const TITLE_LIMIT = 48;

/** The plan as a Mermaid flowchart, for Markdown pages. */
export function mermaidGraph(preview: PlanPreview): string {
  const edges = graphEdges(preview);
  const critical = preview.tasks.flatMap((task, index) => (task.critical ? [`t${index}`] : []));
  return [
    "flowchart LR",
    `  %% ${escaped(graphTitle(preview))}. Thick: critical path. Needs that others imply are left out.`,
    // Keys are made up: an id such as "end" would be a keyword.
    ...preview.tasks.map((task, index) => `  t${index}["${label(preview, task)}"]`),
    ...edges.map((edge) => `  t${edge.from} ${edge.critical ? "==>" : "-->"} t${edge.to}`),
    ...(critical.length === 0
      ? []
      : ["  classDef critical stroke-width:3px", `  class ${critical.join(",")} critical`]),
    "",
  ].join("\n");
}

function label(preview: PlanPreview, task: TaskPreview): string {
  const lines = [task.id, ...(task.title === task.id ? [] : [cut(task.title)]), taskLine(preview, task)];
  return lines.map(escaped).join("<br/>");
}

function cut(title: string): string {
  const chars = [...title];
  return chars.length <= TITLE_LIMIT ? title : `${chars.slice(0, TITLE_LIMIT - 1).join("")}…`;
}

/**
 * Whatever is no letter, digit or harmless sign becomes an entity. Mermaid looks for directives, comments, styles and
 * Markdown anywhere in the text, also inside quotes, so nothing that could begin one is left.
 */
function escaped(text: string): string {
  return printable(text)
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{N} .,_/…-]/gu, (char) => `#${char.codePointAt(0)};`);
}
