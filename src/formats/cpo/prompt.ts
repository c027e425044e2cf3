import { sectionLine, sectionsIn } from "./section-names.ts";

/**
 * A prompt file as an agent gets it. Generated prompts have their sections between literal markers; older ones only point at other
 * files. What a prompt lacks and the folder knows is put in front of it.
 */
export type PromptParts = {
  readonly skills: readonly string[];
  /** What context.md says; null where there is none. */
  readonly context: string | null;
};

/** Null where nothing is missing, so that the file can be used as it is. */
export function completedPrompt(text: string, { skills, context }: PromptParts): string | null {
  const names = new Set(sectionsIn(text).map(({ name }) => name));
  const blocks = [
    ...(skills.length > 0 && !names.has("REQUIRED SKILLS") ? [skillsBlock(skills)] : []),
    ...(context !== null && !names.has("CONTEXT") ? [`${sectionLine("CONTEXT")}\n${context.trim()}\n`] : []),
  ];
  return blocks.length === 0 ? null : [...blocks, text].join("\n");
}

function skillsBlock(skills: readonly string[]): string {
  const list = skills.map((skill) => `- ${skill}`).join("\n");
  return `${sectionLine("REQUIRED SKILLS")}\nLoad these skills before you start, each by its full name (skill: "plugin:skill-name"):\n${list}\n`;
}

/** Where the prompt of a task may lie when the manifest does not say: by its id, by the name of its task file, by its number. */
export function promptNames(id: string, stem: string | null): string[] {
  const number = taskNumber(id);
  const names = [id, ...(stem === null ? [] : [stem]), ...(number === null ? [] : [number])];
  return [...new Set(names)].map((name) => `prompts/${name}.txt`);
}

/** `task-001` of `task-001-users`. */
export function taskNumber(id: string): string | null {
  return /^task-\d+/.exec(id)?.[0] ?? null;
}
