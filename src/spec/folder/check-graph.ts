import { startOf } from "../../core/analyze/findings.ts";
import type { Diagnostic } from "../../core/source.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { indexText } from "../../formats/text-index.ts";
import { GRAPH } from "../task-graph-text.ts";
import { buildFolderFinding } from "./catalog.ts";

/** Whether the picture shows the tasks that there are. A task is known by its number, since labels and keys have it in many forms. */
export async function checkGraph(tasks: readonly PlannedTask[], around: PlanFiles): Promise<Diagnostic[]> {
  const read = await around.read(GRAPH);
  const folder = around.named;
  if (!read.ok) {
    if (read.isMissing) return []; // reported elsewhere
    const params = { kind: "unreadable", problem: read.problem, folder } as const;
    return [buildFolderFinding("graph-stale", params, startOf(read.file))];
  }
  const { text } = read;
  const index = indexText(read.file, text);
  const numbers = new Set(tasks.flatMap(({ id }) => numberOf(id.value) ?? []));
  const shown = new Map<number, { readonly at: number; readonly words: string }>();
  for (const { 0: words, 1: digits, index: at } of text.matchAll(TASK)) {
    const number = Number(digits);
    if (!shown.has(number)) shown.set(number, { at, words });
  }
  const unknown = [...shown].filter(([number]) => !numbers.has(number));
  const missing = tasks
    .map(({ id }) => id.value)
    .filter((id) => !text.includes(id) && !shown.has(numberOf(id) ?? Number.NaN));
  const whole = index.lineRange(0, text.length);
  return [
    ...unknown.map(([, { at, words }]) =>
      buildFolderFinding(
        "graph-stale",
        { kind: "unknown", task: words, folder },
        index.range(at, at + words.length),
      ),
    ),
    ...(missing.length === 0
      ? []
      : [buildFolderFinding("graph-stale", { kind: "missing", tasks: missing, folder }, whole)]),
  ];
}

/** `task-001`, `task_001`, `Task001`. */
const TASK = /\btask[-_ ]?(\d{3,})(?!\d)/gi;

function numberOf(id: string): number | null {
  const digits = /^task-(\d+)/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
