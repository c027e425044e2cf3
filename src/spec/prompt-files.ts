import { type FolderTask, OVERVIEW, type PromptFolder } from "./prompt-folder.ts";
import { promptOverview } from "./prompt-overview.ts";
import { hashPromptSources, promptText } from "./sections.ts";
import type { SpecFile } from "./spec-contents.ts";

type Prompts = Pick<PromptFolder, "techSpecId" | "place" | "context"> & {
  readonly tasks: readonly Pick<FolderTask, "task" | "path">[];
};

/** Every file of `prompts/` that is generated, the overview last. */
export function promptFiles({ techSpecId, place, context, tasks }: Prompts, generatedAt: string): SpecFile[] {
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
