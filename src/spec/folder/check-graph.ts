import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { indexText } from "../../formats/text-index.ts";
import { GRAPH } from "../task-graph-text.ts";
import type { FolderCode } from "./codes.ts";

const REDRAW = "redraw it: plait spec graph <folder>";

/** Whether the picture shows the tasks that there are. A task is known by its number, since labels and keys have it in many forms. */
export async function checkGraph(tasks: readonly PlannedTask[], around: PlanFiles): Promise<Diagnostic[]> {
  const read = await around.read(GRAPH);
  const code: FolderCode = "graph-stale";
  if (!read.ok) {
    if (read.isMissing) return []; // that is told
    const start = { line: 1, col: 1 };
    const at = { file: read.file, start, end: start };
    const message = `the graph ${read.problem}, so nobody can compare it with the manifest`;
    return [diagnostic({ code, severity: "warning", message, at, hint: REDRAW })];
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
  return [
    ...unknown.map(([, { at, words }]) => {
      const message = `the graph shows ${quoted(words)}, which is no task of the manifest`;
      const range = index.range(at, at + words.length);
      return diagnostic({ code, severity: "warning", message, at: range, hint: REDRAW });
    }),
    ...listed(missing).map((names) => {
      const message = `the graph does not show ${names}`;
      const at = index.lineRange(0, text.length);
      return diagnostic({ code, severity: "warning", message, at, hint: REDRAW });
    }),
  ];
}

/** `task-001`, `task_001`, `Task001`. */
const TASK = /\btask[-_ ]?(\d{3,})(?!\d)/gi;

function numberOf(id: string): number | null {
  const digits = /^task-(\d+)/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

const MOST_LISTED = 6;

function listed(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return [`${names.slice(0, MOST_LISTED).map(quoted).join(", ")}${more}`];
}
