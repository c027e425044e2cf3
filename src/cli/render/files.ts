import type { RunFiles } from "../../app/index.ts";
import { listed } from "../../core/select/run-words.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line } from "./line.ts";
import { shown } from "./visible.ts";
import { pad } from "./width.ts";

const MOST_NAMED = 3;

/** Where the report and the artefacts are. Paths are copied: they are never cut, however narrow the terminal. */
export function fileLines(
  { report, artifacts }: RunFiles,
  { glyphs, label }: { readonly glyphs: Glyphs; readonly label: number },
): Line[] {
  const line = (name: string, text: string): Line => [dim(pad(name, label)), shown(text, glyphs)];
  return [
    ...(artifacts === null ? [] : [line("files", `${artifacts.folder}, of ${namesOf(artifacts.tasks)}`)]),
    ...(report === null ? [] : [line("report", report)]),
  ];
}

function namesOf(tasks: readonly string[]): string {
  return tasks.length > MOST_NAMED ? `${tasks.length} tasks` : listed(tasks);
}
