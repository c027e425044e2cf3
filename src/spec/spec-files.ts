import { architectureText } from "./architecture-text.ts";
import { COVERAGE_FILE, formatCoverage } from "./coverage/coverage-text.ts";
import { manifestText } from "./manifest-text.ts";
import { promptFiles } from "./prompt-files.ts";
import { promptTaskOf } from "./prompt-task.ts";
import type { SpecContents, SpecFile } from "./spec-contents.ts";
import { GRAPH, taskGraphText } from "./task-graph-text.ts";
import { taskFileName, taskText } from "./task-text.ts";

/**
 * Every file of an artefact folder. The same contents give the same bytes, and whoever reads the folder gets the contents back.
 * `folder` is where it will lie, from the root of the repository, for what prompts say of contracts.
 */
export function specFiles(contents: SpecContents, folder: string = usualFolder(contents)): SpecFile[] {
  const { tasks, contracts, techSpecId, generatedAt } = contents;
  const context = contextText(contents);
  const prompts = tasks.map((task) => ({ path: `prompts/${task.id}.txt`, task: promptTaskOf(task, folder) }));
  return [
    { path: "manifest.json", text: manifestText(contents) },
    { path: "context.md", text: context },
    { path: "architecture.md", text: architectureText(contents) },
    { path: GRAPH, text: taskGraphText(contents) },
    ...(contents.requirements.length === 0 ? [] : [{ path: COVERAGE_FILE, text: formatCoverage(contents) }]),
    ...contracts,
    ...tasks.map((task) => ({ path: `tasks/${taskFileName(task)}`, text: taskText(task, contents) })),
    ...promptFiles({ techSpecId, place: folder, context, tasks: prompts }, generatedAt),
    // What a run and the next generation of prompts leave here is not for the history.
    {
      path: ".gitignore",
      text: "logs/\nreport.json\nintegration-report.*\nprompts.backup-*/\nprompts/*.backup*\ntask-graph.md.backup-*\n",
    },
  ];
}

export function usualFolder({ techSpecId, name }: Pick<SpecContents, "techSpecId" | "name">): string {
  return `parallel/${techSpecId}-${name}`;
}

/** It has a title, also where whoever wrote it gave it none. */
function contextText({ techSpecId, name, context }: SpecContents): string {
  const text = context.replaceAll(/\r\n?/g, "\n").trim();
  return /^# /.test(text) ? `${text}\n` : `# ${techSpecId}: ${name}\n\n${text}\n`;
}
