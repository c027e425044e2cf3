import { posix } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { readPrompt } from "../../formats/cpo/folder.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { PromptFolder } from "../prompt-folder.ts";
import { staleFindings } from "../prompt-stale.ts";
import { promptFindings } from "../sections.ts";
import { sectionsMissing } from "../task-sections.ts";
import type { FolderCode } from "./codes.ts";

/**
 * Prompts of the tasks, what they are generated from, and prompts of nobody. A run takes a prompt as it is, so whatever it lacks is
 * only warned of here; a task file that no prompt can be made of is an error, since prompts are made anew in every clone. That a prompt
 * is missing is told by who reads the folder as a plan. `folder` is null where no prompts could be generated from it.
 */
export async function checkPrompts(
  tasks: readonly PlannedTask[],
  folder: PromptFolder | null,
  around: PlanFiles,
): Promise<Diagnostic[]> {
  const used = new Set<string>();
  const found: Diagnostic[] = [];
  for (const task of tasks) {
    const { prompt } = await readPrompt(task, around);
    if (prompt === null || used.has(posix.normalize(prompt.path))) continue;
    used.add(posix.normalize(prompt.path));
    const source = folder?.tasks.find((one) => one.task.id === task.id.value);
    const stale = folder && source ? staleFindings(prompt, source, folder) : [];
    found.push(...promptFindings(prompt), ...stale.filter(isGrave));
  }
  const names = (await around.names("prompts")).filter((name) => name.endsWith(".txt"));
  for (const path of names.map((name) => `prompts/${name}`)) {
    if (!used.has(path)) found.push(unusedPrompt(path, (await around.read(path)).file));
  }
  return [...tasks.flatMap(sourceFindings), ...found.map(asWarning)];
}

/** Requirements and checklist; the rest may be said in other words, and is for who generates prompts. */
function isGrave({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** That there is no scope is told by who reads the task file. */
function sourceFindings({ spec }: PlannedTask): Diagnostic[] {
  return spec === null ? [] : sectionsMissing({ ...spec, body: { ...spec.body, hasScope: true } });
}

function asWarning(one: Diagnostic): Diagnostic {
  return one.severity === "error" ? { ...one, severity: "warning" } : one;
}

function unusedPrompt(path: string, file: string): Diagnostic {
  const start = { line: 1, col: 1 };
  return diagnostic({
    code: "prompt-unused" satisfies FolderCode,
    severity: "warning",
    message: `the prompt ${quoted(path)} belongs to no task of the manifest`,
    at: { file, start, end: start },
    hint: "add its task to a wave, or delete the file",
  });
}
