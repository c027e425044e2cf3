import { criticalPath, graphOf } from "../core/graph.ts";
import { inline } from "../util/markdown-text.ts";
import { mermaidText } from "../util/mermaid-text.ts";
import { titleText } from "./prompt-task.ts";
import type { SpecContents, SpecTask } from "./spec-contents.ts";

export const GRAPH = "task-graph.md";

export type GraphTask = Pick<SpecTask, "id" | "title" | "wave" | "deps" | "hours">;

export type GraphContents = Pick<SpecContents, "techSpecId" | "name"> & {
  /** By wave, then by id. */
  readonly tasks: readonly GraphTask[];
};

/** task-graph.md: who needs whom, and when each would run if there were room for all. */
export function taskGraphText(contents: GraphContents): string {
  const { techSpecId, name, tasks } = contents;
  const critical = criticalTasks(tasks);
  const note = tasks.every(({ hours }) => hours !== null)
    ? ""
    : ` A task without an estimate counts as ${USUAL_HOURS} hours.`;
  return `# Tasks of ${inline(techSpecId)}: ${inline(name)}

Each wave starts when the previous one is done. Critical path: ${critical.join(", ")}.

\`\`\`mermaid
${flowchart(contents, critical)}
\`\`\`

Hours of work, from the first wave on.${note}

\`\`\`mermaid
${gantt(contents, new Set(critical))}
\`\`\`
`;
}

function flowchart({ tasks }: GraphContents, critical: readonly string[]): string {
  // Keys are made up: what an id may be is not what a key may be.
  const keys = new Map(tasks.map(({ id }, i) => [id, `t${i}`]));
  const node = (task: GraphTask) =>
    `    ${keys.get(task.id)}["${mermaidText(task.id)}<br/>${mermaidText(titleText(task))}"]`;
  const groups = listWaves(tasks).flatMap((number) => [
    `  subgraph w${number}["Wave ${number}"]`,
    ...tasks.filter(({ wave }) => wave === number).map(node),
    "  end",
  ]);
  const edges = tasks.flatMap(({ id, deps }) =>
    deps.flatMap((dep) => {
      const from = keys.get(dep);
      // A step of the path leads from one of it to the next, and not to a later one.
      const line = critical.some((one, i) => one === dep && critical[i + 1] === id) ? "==>" : "-->";
      return from === undefined ? [] : [`  ${from} ${line} ${keys.get(id)}`];
    }),
  );
  return ["flowchart LR", ...groups, ...edges].join("\n");
}

function listWaves(tasks: readonly GraphTask[]): number[] {
  return [...new Set(tasks.map(({ wave }) => wave))].sort((a, b) => a - b);
}

const DAY = 24 * 60;

/** Days without a change of the clock, since pictures are drawn in the reader's own time. */
const FIRST_DAY = Date.UTC(2001, 0, 1);

function gantt({ techSpecId, tasks }: GraphContents, critical: ReadonlySet<string>): string {
  let start = 0;
  const sections = listWaves(tasks).flatMap((number) => {
    const own = tasks.filter(({ wave }) => wave === number);
    const lines = own.map((task) => {
      const marks = critical.has(task.id) ? "crit, " : "";
      const minutes = Math.max(1, Math.round(hoursOf(task) * 60));
      return `  ${lineName(task)} :${marks}${moment(start)}, ${minutes}m`;
    });
    start += Math.max(0, ...own.map((task) => Math.max(1, Math.round(hoursOf(task) * 60))));
    return [`  section Wave ${number}`, ...lines];
  });
  return [
    "gantt",
    `  title ${mermaidText(techSpecId)}`,
    "  dateFormat YYYY-MM-DD HH:mm",
    `  axisFormat ${start > DAY ? "day %d %H:%M" : "%H:%M"}`,
    ...sections,
  ].join("\n");
}

/** No id is written behind it: nothing refers to one, and `done` or `crit` there would be a mark. */
function lineName(task: GraphTask): string {
  const name = mermaidText(`${task.id} ${titleText(task)}`);
  return name.replace(KEYWORD, (word) => `#${word.codePointAt(0)};${word.slice(1)}`);
}

/** What a line of a gantt may begin with and is no task then. */
const KEYWORD =
  /^(?:gantt|title|section|click|call|href|dateFormat|axisFormat|tickInterval|includes|excludes|todayMarker|weekday|weekend|inclusiveEndDates|topAxis|accTitle|accDescr)\b/i;

function moment(minutes: number): string {
  return new Date(FIRST_DAY + minutes * 60_000).toISOString().slice(0, 16).replace("T", " ");
}

/** What a task counts for that does not say how long it takes. */
export const USUAL_HOURS = 2;

export const hoursOf = ({ hours }: Pick<SpecTask, "hours">): number => hours ?? USUAL_HOURS;

/** The ids on one longest way through the tasks; each wave waits for the one before. */
export function criticalTasks<T extends Pick<SpecTask, "id" | "deps" | "wave" | "hours">>(
  tasks: readonly T[],
): string[] {
  const graph = graphOf(tasks.map(({ id, deps, wave }) => ({ id, needs: deps, wave })));
  return criticalPath(graph, tasks.map(hoursOf)).map((i) => (tasks[i] as T).id);
}
