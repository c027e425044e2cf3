import type { PlanPreview, TaskPreview } from "../core/select/preview/preview.ts";
import type { NextActor } from "../core/select/task-status.ts";
import { mermaidText } from "../util/mermaid-text.ts";
import { type GraphWords, graphEdges, graphWaves, planWords } from "./graph-text.ts";

const TITLE_LIMIT = 48;

/** How many lines a Mermaid graph has between tasks and between waves. */
export function mermaidEdges(preview: PlanPreview): number {
  const needs = preview.tasks.reduce((sum, task) => sum + task.directNeeds.length, 0);
  return needs + Math.max(0, preview.waves.length - 1);
}

/**
 * The plan as a Mermaid flowchart, for Markdown pages. A wave is a subgraph; a line leads from each to the next. With the words
 * of a run, each task shows where it stands.
 */
export function mermaidGraph(preview: PlanPreview, words: GraphWords = planWords(preview)): string {
  const isCritical = new Set(words.critical);
  const critical = keysOf(preview, ({ id }) => isCritical.has(id));
  const waves = graphWaves(preview);
  // Keys are made up: an id such as "end" would be a keyword.
  const nodes = preview.tasks.map((task, index) => `t${index}["${label(words, task)}"]`);
  const free = nodes.filter((_, index) => preview.tasks[index]?.wave === null);
  return [
    "flowchart LR",
    `  %% ${mermaidText(words.title)}. Thick: critical path. Needs that others imply are left out.`,
    ...waves.flatMap(({ label: name, tasks }, index) => [
      `  subgraph w${index}["${name}"]`,
      ...tasks.map((task) => `    ${nodes[task]}`),
      "  end",
    ]),
    ...free.map((node) => `  ${node}`),
    ...graphEdges(preview, words.critical).map(
      (edge) => `  t${edge.from} ${edge.critical ? "==>" : "-->"} t${edge.to}`,
    ),
    ...waves.slice(1).map((_, index) => `  w${index} --> w${index + 1}`),
    ...ACTORS.flatMap(([actor, color]) => {
      const keys = keysOf(preview, (task) => words.actor(task) === actor);
      return keys.length === 0
        ? []
        : [`  classDef ${actor} stroke:${color}`, `  class ${keys.join(",")} ${actor}`];
    }),
    ...(critical.length === 0
      ? []
      : ["  classDef critical stroke-width:3px", `  class ${critical.join(",")} critical`]),
    "",
  ].join("\n");
}

/** Who moves a task next, in colors that show on light and on dark. */
const ACTORS: readonly (readonly [NextActor, string])[] = [
  ["you", "#D1304F"],
  ["agents", "#2F7DE1"],
  ["plait", "#A555BE"],
  ["clock", "#B07C0A"],
  ["done", "#149A75"],
  ["later", "#7A8490"],
];

function keysOf({ tasks }: PlanPreview, fits: (task: TaskPreview) => boolean): string[] {
  return tasks.flatMap((task, index) => (fits(task) ? [`t${index}`] : []));
}

function label(words: GraphWords, task: TaskPreview): string {
  const lines = [task.id, ...(task.title === task.id ? [] : [cut(task.title)]), words.line(task)];
  return lines.map(mermaidText).join("<br/>");
}

function cut(title: string): string {
  const chars = [...title];
  return chars.length <= TITLE_LIMIT ? title : `${chars.slice(0, TITLE_LIMIT - 1).join("")}…`;
}
