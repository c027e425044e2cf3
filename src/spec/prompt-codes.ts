import type { CodeEntry } from "../core/analyze/code-entry.ts";

/** Findings about prompt files of artefact folders, and about what they are generated from. */
export const promptCodes = [
  {
    code: "prompt-section",
    severity: "error",
    title: "A prompt lacks a section",
    explanation:
      "Prompts of artefact folders have their parts between markers such as === OBJECTIVE ===, always the same ones. The same list serves whoever writes prompts and whoever checks them. Skills and context are put in front by a run where they are missing, so these are only warned of.",
    example: "=== OBJECTIVE ===\nUsers can be created and found by their address.",
  },
  {
    code: "prompt-section-empty",
    severity: "error",
    title: "A section of a prompt is empty",
    explanation:
      "A marker with nothing below it tells an agent nothing. Where there is nothing to say, such as no file to modify, the section says None.",
    example: "=== FILES TO MODIFY ===\n- None",
  },
  {
    code: "prompt-section-order",
    severity: "warning",
    title: "Sections of a prompt are not in their order",
    explanation:
      "Skills and context come first, then the task, then how to work, and last how to say that it is done. A section that is there twice is read twice.",
  },
  {
    code: "prompt-header",
    severity: "error",
    title: "A prompt does not begin with the lines that say whose it is",
    explanation: "Above the first section stand four lines: the task, its agent, its wave and what it needs.",
    example: "TASK-task-001: Users\nAgent: general-purpose\nWave: 1\nDependencies: None",
  },
  {
    code: "prompt-placeholder",
    severity: "error",
    title: "A prompt has a placeholder that nobody has filled in",
    explanation:
      "Something like {title} stands where a value belongs, or a section is nothing but one: a template was copied and not completed.",
  },
  {
    code: "prompt-completion",
    severity: "error",
    title: "A prompt does not say how an agent tells that it is done",
    explanation:
      "An agent of an artefact folder leaves the file .claude-task-complete when its tests pass and its work is committed. Without the file its task has failed, so the completion signal must name it.",
    example: "=== COMPLETION SIGNAL ===\nWhen all is green and committed: touch .claude-task-complete",
  },
  {
    code: "prompt-stale",
    severity: "error",
    title: "A prompt does not say what its task file says",
    explanation:
      "Requirements and checklist of a task are in its prompt word by word. Where they are not, one of the two was changed since. For the other parts, such as the context and the files, it is a warning.",
  },
  {
    code: "prompt-place",
    severity: "error",
    title: "A prompt cannot be generated where the manifest wants it",
    explanation:
      "Generated prompts replace the ones before all at once, so they lie in the folder prompts, one file a task, each with a name of its own.",
    example: '{ "id": "task-001", "agent": "plugin:agent", "prompt_file": "prompts/task-001.txt" }',
  },
  {
    code: "context-missing",
    severity: "error",
    title: "There is no shared context",
    explanation:
      "What every agent is told stands in context.md beside the manifest, and each prompt has the whole of it. The file is missing or empty.",
  },
  {
    code: "contracts-missing",
    severity: "error",
    title: "There are no contracts",
    explanation:
      "A task names contracts, and the folder contracts beside the manifest has no file. Tasks that run in parallel agree there on types and interfaces.",
  },
  {
    code: "task-section-missing",
    severity: "error",
    title: "A task file lacks a section that its prompt is made of",
    explanation:
      "A prompt has the requirements and the checklist of its task word by word, and its scope. All three are sections of the task file, and have something in them. Prompts are not tracked, so a folder whose task files lack them is of no use in another clone.",
    example: "## Requirements\n- an address is unique\n\n## Checklist\n- [ ] tests pass",
  },
  {
    code: "task-section-unused",
    severity: "warning",
    title: "A section of a task file is in no prompt",
    explanation:
      "Prompts are made of objective, scope, requirements and checklist. What stands in other sections does not reach the agent.",
  },
] as const satisfies readonly CodeEntry[];

export type PromptCode = (typeof promptCodes)[number]["code"];
