import { posix } from "node:path";
import { startOf } from "../../core/analyze/findings.ts";
import type { Diagnostic } from "../../core/source.ts";
import { readPrompt } from "../../formats/cpo/folder.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { type PromptFolder, sectionsMissing } from "../prompt-folder.ts";
import { staleFindings } from "../prompt-stale.ts";
import { promptFindings } from "../sections.ts";
import { buildFolderFinding } from "./catalog.ts";

/**
 * Prompts of the tasks, what they are generated from, and prompts of nobody. A run takes a prompt as it is, so whatever it lacks is
 * only warned of here; one that is stale stops a run and is an error here too, and a task file that no prompt can be made of is an error, since prompts are made anew in every clone. That a prompt
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
    found.push(...promptFindings(prompt, around.named), ...stale);
  }
  const names = (await around.names("prompts")).filter((name) => name.endsWith(".txt"));
  for (const path of names.map((name) => `prompts/${name}`)) {
    if (!used.has(path))
      found.push(buildFolderFinding("prompt-unused", { path }, startOf((await around.read(path)).file)));
  }
  // That there is no scope is reported by the reader of the task file.
  const sources = tasks.flatMap(({ spec }) =>
    spec === null ? [] : sectionsMissing({ ...spec, body: { ...spec.body, hasScope: true } }),
  );
  const isWarned = ({ code, severity }: Diagnostic) => code !== "prompt-stale" && severity === "error";
  return [
    ...sources,
    ...found.map((one) => (isWarned(one) ? { ...one, severity: "warning" as const } : one)),
  ];
}

/**
 * For a run: prompts that were generated before one of their sources was edited, or that lack what their task file or the context
 * says today. A run would do what the files said before.
 */
export async function findStalePrompts(
  tasks: readonly PlannedTask[],
  folder: PromptFolder | null,
  around: PlanFiles,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const task of folder === null ? [] : tasks) {
    const { prompt } = await readPrompt(task, around);
    const source = folder?.tasks.find((one) => one.task.id === task.id.value);
    if (prompt === null || source === undefined || folder === null) continue;
    found.push(...staleFindings(prompt, source, folder));
  }
  return found;
}
