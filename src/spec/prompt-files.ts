import { type FolderTask, OVERVIEW, type PromptFolder } from "./prompt-folder.ts";
import { promptOverview } from "./prompt-overview.ts";
import { hashPromptSources, promptText } from "./sections.ts";
import type { SpecFile } from "./spec-contents.ts";

/** Every file of `prompts/` that is generated, the overview last. */
export function promptFiles(
  { techSpecId, place, context, tasks }: PromptFolder,
  generatedAt: string,
): SpecFile[] {
  const prompts = tasks.map(({ task, path }) => ({
    path,
    text: promptText(task, context),
    task,
    sources: hashPromptSources(task, context),
  }));
  const overview = promptOverview({ techSpecId, generatedAt, folder: place }, prompts);
  return [
    ...prompts.map(({ path, text }) => ({ path, text })),
    { path: `prompts/${OVERVIEW}`, text: overview },
  ];
}

export function promptFor({ task }: FolderTask, { context }: PromptFolder): string {
  return promptText(task, context);
}
