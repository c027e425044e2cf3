import type { PromptTask } from "./prompt-task.ts";
import { headerOf, sections, sectionText } from "./sections.ts";

/** The prompt of a task: its file and the shared context in the sections that agents of this system know. */
export function promptText(task: PromptTask, context: string): string {
  const parts = sections.map((section) => sectionText(section, task, context));
  return `${[headerOf(task).join("\n"), ...parts].join("\n\n")}\n`;
}
