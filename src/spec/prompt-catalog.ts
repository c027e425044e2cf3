import { type Catalog, createFindingBuilder, type FindingBuilder } from "../core/catalog.ts";
import { plait } from "../core/text/command.ts";
import { listQuoted, quoted } from "../core/text/figures.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";

/** The artifact folder as the user named it. */
type Folder = { readonly folder: string };
/** `=== OBJECTIVE ===`. */
type Section = { readonly section: string };

const generate = ({ folder }: Folder): Sentence =>
  fix("generate the prompt from its task file", plait("spec prompts", folder));

type Stale =
  | { readonly kind: "sources" }
  | { readonly kind: "header"; readonly line: string; readonly wanted: string }
  | { readonly kind: "text"; readonly section: string; readonly source: string }
  | { readonly kind: "names"; readonly section: string; readonly missing: readonly string[] };

function formatStale(params: Stale): string {
  switch (params.kind) {
    case "sources":
      return "the prompt is older than its task file, manifest or context.md";
    case "header":
      return `the prompt has ${quoted(params.line)}, its task has ${quoted(params.wanted)}`;
    case "text":
      return `the section ${quoted(params.section)} does not contain ${params.source}`;
    default:
      return `the section ${quoted(params.section)} does not name ${listQuoted(params.missing, "others")}`;
  }
}

type Missing = { readonly name: string; readonly path: string; readonly isEmpty: boolean };

const examples: Readonly<Record<string, string>> = {
  Scope: "CREATE: src/api/",
  Requirements: "- addresses are unique",
  Checklist: "- [ ] tests pass",
};

type BadPlace = { readonly task: string; readonly path: string } & (
  | { readonly kind: "outside" | "overview" }
  | { readonly kind: "taken"; readonly other: string }
);

/** Prompt files of artifact folders, and what they are generated from. */
export const promptCatalog = {
  "prompt-section": {
    severity: "error",
    title: "Missing section in a prompt",
    explanation:
      "Prompts of artifact folders have fixed sections between markers such as === OBJECTIVE ===. A run adds missing skills and context, so these are warnings.",
    example: "=== OBJECTIVE ===\nUsers can be created and found by their address.",
    message: ({ section, isAdded }: { readonly section: string | null; readonly isAdded: boolean }) => {
      if (section === null) return "the prompt has no known sections";
      return `the prompt has no section ${quoted(section)}${isAdded ? "; a run adds it" : ""}`;
    },
    hint: generate,
  },
  "prompt-section-empty": {
    severity: "error",
    title: "Empty section in a prompt",
    explanation: "If there is nothing to list, such as no file to modify, the section contains None.",
    example: "=== FILES TO MODIFY ===\n- None",
    message: ({ section }: Section) => `the section ${quoted(section)} is empty`,
    hint: generate,
  },
  "prompt-section-order": {
    severity: "warning",
    title: "Prompt sections are out of order",
    explanation: "Skills and context come first, then the task, how to work, and how to report completion.",
    message: ({ section, above }: Section & { readonly above: string | null }) =>
      above === null
        ? `the section ${quoted(section)} appears twice`
        : `the section ${quoted(section)} is below ${quoted(above)}`,
    hint: generate,
  },
  "prompt-header": {
    severity: "error",
    title: "Missing header line in a prompt",
    explanation:
      "Above the first section are four lines: the task, its agent, its wave and its dependencies.",
    example: "TASK-task-001: Users\nAgent: general-purpose\nWave: 1\nDependencies: None",
    message: ({ line }: { readonly line: string }) => `the prompt has no header line ${quoted(line)}`,
    hint: generate,
  },
  "prompt-placeholder": {
    severity: "error",
    title: "A prompt has a placeholder",
    explanation: "A placeholder such as {title} was not filled in: a template was copied and not completed.",
    message: (params: { readonly line: string } | (Section & { readonly text: string })) =>
      "line" in params
        ? `the line ${quoted(params.line)} has a placeholder`
        : `the section ${quoted(params.section)} is only the placeholder ${quoted(params.text)}`,
    hint: generate,
  },
  "prompt-completion": {
    severity: "error",
    title: "A prompt does not name the completion file",
    explanation:
      "An agent of an artifact folder creates .claude-task-complete when its tests pass and its work is committed. Without the file the task failed, so the prompt must name it.",
    example: "=== COMPLETION SIGNAL ===\nWhen all is green and committed: touch .claude-task-complete",
    message: ({ section, file }: Section & { readonly file: string }) =>
      `the section ${quoted(section)} does not name the file ${quoted(file)}`,
    hint: generate,
  },
  "prompt-stale": {
    severity: "error",
    title: "A prompt is out of date",
    explanation:
      "The task file, the manifest or context.md changed after the prompt was generated, so a run would use the old text. Prompts not generated by plait must contain the requirements and checklist word for word; other differences are warnings.",
    message: formatStale,
    hint: generate,
    related: () => "in the task file",
  },
  "prompt-place": {
    severity: "error",
    title: "Invalid path for a generated prompt",
    explanation: "Generated prompts are in the folder prompts, one file per task, each with a unique name.",
    example: '{ "id": "task-001", "agent": "plugin:agent", "prompt_file": "prompts/task-001.txt" }',
    message: (params: BadPlace) => {
      const path = `the prompt path ${quoted(params.path)} of ${quoted(params.task)}`;
      if (params.kind === "taken") return `${path} is also used by ${quoted(params.other)}`;
      return params.kind === "overview"
        ? `${path} is used for the overview`
        : `${path} is not in the folder prompts`;
    },
    hint: ({ task }: { readonly task: string }) => `write \`"prompt_file": "prompts/${task}.txt"\``,
  },
  "context-missing": {
    severity: "error",
    title: "Missing context.md",
    explanation: "context.md, next to the manifest, is part of every prompt. The file is missing or empty.",
    message: ({ problem }: { readonly problem: string }) => `context.md ${problem}`,
    hint: "describe the goal, conventions and tests in `context.md`",
  },
  "contracts-missing": {
    severity: "error",
    title: "Missing contracts",
    explanation:
      "A task lists contracts, but the folder contracts is empty. It holds the types and interfaces that parallel tasks agree on.",
    message: "the folder contracts is empty",
    hint: "write what tasks agree on: `contracts/types.ts`",
  },
  "task-section-missing": {
    severity: "error",
    title: "Missing section in a task file",
    explanation:
      "A prompt contains the scope, requirements and checklist of its task file. Prompts are not tracked, so without these sections they cannot be generated in another clone.",
    example: "## Requirements\n- an address is unique\n\n## Checklist\n- [ ] tests pass",
    message: ({ name, path, isEmpty }: Missing) =>
      isEmpty
        ? `the section \`## ${name}\` is empty`
        : `the task file ${quoted(path)} has no section \`## ${name}\``,
    hint: ({ name, isEmpty }: Missing) =>
      `${isEmpty ? "add a line" : `add \`## ${name}\` with a line`}: \`${examples[name] ?? "- …"}\``,
  },
  "task-section-unused": {
    severity: "warning",
    title: "Task file section missing from the prompt",
    explanation:
      "Prompts contain objective, scope, requirements and checklist. Other sections do not reach the agent.",
    message: ({ section }: Section) => `the section ${quoted(section)} is not part of the prompt`,
    hint: "move what the agent must know to `## Requirements`",
  },
} as const satisfies Catalog;

export const buildPromptFinding: FindingBuilder<typeof promptCatalog> = createFindingBuilder(promptCatalog);
