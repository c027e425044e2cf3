// The prompts that an artefact folder has, held against their tasks.

import { startOf } from "../../core/analyze/findings.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import type { FolderTask, PromptFolder } from "../../spec/prompt-folder.ts";
import { staleFindings } from "../../spec/prompt-stale.ts";
import { promptFindings } from "../../spec/sections.ts";
import type { OpenedPrompts } from "./open-folder.ts";

export type CheckedPrompt = {
  readonly task: string;
  /** From the folder: where it is, or where it would be. */
  readonly path: string;
  readonly isThere: boolean;
  readonly isValid: boolean;
  readonly diagnostics: readonly Diagnostic[];
};

export async function checkPrompts(folder: PromptFolder, opened: OpenedPrompts): Promise<CheckedPrompt[]> {
  return Promise.all(folder.tasks.map((one) => checkPrompt(one, folder, opened)));
}

async function checkPrompt(
  one: FolderTask,
  folder: PromptFolder,
  opened: OpenedPrompts,
): Promise<CheckedPrompt> {
  const task = one.task.id;
  for (const path of one.names) {
    const read = await opened.read(path);
    if (!read.ok && read.isMissing) continue;
    const isEmpty = read.ok && read.text.trim() === "";
    const diagnostics =
      read.ok && !isEmpty
        ? [...promptFindings(read, folder.named), ...staleFindings(read, one, folder)]
        : [noPrompt(one, folder, { file: read.file, problem: read.ok ? "is empty" : read.problem })];
    const isValid = !diagnostics.some(({ severity }) => severity === "error");
    return { task, path, isThere: true, isValid, diagnostics };
  }
  const diagnostics = [noPrompt(one, folder, { file: one.requirementsAt.file, problem: "does not exist" })];
  return { task, path: one.path, isThere: false, isValid: false, diagnostics };
}

function noPrompt(
  { task, path }: FolderTask,
  { named }: PromptFolder,
  { file, problem }: { readonly file: string; readonly problem: string },
): Diagnostic {
  const params = { task: task.id, files: [path], problem, folder: named };
  return buildFormatFinding("prompt-missing", params, startOf(file));
}
