import type { RunFiles } from "../../app/index.ts";
import type { RunId } from "../../core/ids.ts";
import type { StayingTree } from "../../core/select/task-lists.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { listed } from "../../core/text/figures.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line } from "./line.ts";
import { shown } from "./visible.ts";
import { pad } from "./width.ts";

const MOST_NAMED = 3;

/** Where the report and the artefacts are, and what of the repository's own is not as it was. Paths are copied: they are never cut, however narrow the terminal. */
export function fileLines({ report, artifacts, reports, changed }: RunFiles, look: FilesLook): Line[] {
  const { run } = look;
  const line = (name: string, text: string): Line => lineOf(name, text, look);
  return [
    ...changed
      .slice(0, MOST_NAMED)
      .map(({ file, says }) => line("changed", `${file}: ${wordsOf(says)}, during the run`)),
    ...(changed.length > MOST_NAMED ? [line("", `and ${changed.length - MOST_NAMED} more files`)] : []),
    ...(changed.length > 0
      ? [line("", `undo these changes, if they are not yours: ${formatCommand(plait("restore", run))}`)]
      : []),
    ...(artifacts === null ? [] : [line("files", `${artifacts.folder}, of ${namesOf(artifacts.tasks)}`)]),
    ...reportLines(reports).map((text, n) => line(n === 0 ? "reports" : "", text)),
    ...(report === null ? [] : [line("report", report)]),
  ];
}

type FilesLook = { readonly glyphs: Glyphs; readonly label: number; readonly run: RunId };

function lineOf(name: string, text: string, { glyphs, label }: FilesLook): Line {
  return [dim(pad(name, label)), shown(text, glyphs)];
}

/** Worktrees that were to stay, and how they go. */
export function treeLines(trees: readonly StayingTree[], look: FilesLook): Line[] {
  if (trees.length === 0) return [];
  const rest = trees.length - MOST_REPORTS;
  const texts = [
    ...trees.slice(0, MOST_REPORTS).map(({ task, path }) => `worktree of ${task}: ${path}`),
    ...(rest > 0 ? [`and ${rest} more, named in the report`] : []),
    `remove them with the run: ${formatCommand(plait("clean", look.run))}`,
  ];
  return texts.map((text, n) => lineOf(n === 0 ? "stays" : "", text, look));
}

const MOST_REPORTS = 8;

/** One path a line: those of many tasks are in the report. */
function reportLines(reports: RunFiles["reports"]): string[] {
  const all = reports.flatMap(({ task, paths }) => paths.map((path) => `of ${task}: ${path}`));
  const rest = all.length - MOST_REPORTS;
  return [...all.slice(0, MOST_REPORTS), ...(rest > 0 ? [`and ${rest} more, named in the report`] : [])];
}

function namesOf(tasks: readonly string[]): string {
  return tasks.length > MOST_NAMED ? `${tasks.length} tasks` : listed(tasks);
}

function wordsOf(says: readonly string[]): string {
  const more = says.length - MOST_NAMED;
  return `${says.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
