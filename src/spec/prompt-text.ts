import { createHash } from "node:crypto";
import type { PromptTask } from "./prompt-task.ts";
import { headerOf, sections, sectionText } from "./sections.ts";

/** The prompt of a task: its file and the shared context in the sections that agents of this system know. */
export function promptText(task: PromptTask, context: string): string {
  const parts = sections.map((section) => sectionText(section, task, context));
  return `${[headerOf(task).join("\n"), ...parts].join("\n\n")}\n`;
}

/**
 * A fingerprint of everything in a prompt that comes from the task file, the manifest and the context. The sections that are the same
 * for all tasks are left out, so that another version of plait does not make every prompt stale.
 */
export function hashPromptSources(task: PromptTask, context: string): string {
  const parts = sections.filter(({ fresh }) => fresh !== null).map((one) => sectionText(one, task, context));
  const text = [...headerOf(task), ...parts].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
