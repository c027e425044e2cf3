import type { CodeEntry } from "../../core/analyze/code-entry.ts";
import { type Diagnostic, diagnostic, type Severity, type SourceRange } from "../../core/source.ts";

/** Findings about a design: how a tech spec is cut into tasks. */
export const designCodes = [
  {
    code: "design-too-large",
    severity: "error",
    title: "The design is too large",
    explanation:
      "A design is one JSON document with everything that the artefact folder is made of, and a megabyte is far more than people or agents read. --max-plan-bytes raises the limit.",
  },
  {
    code: "design-scope",
    severity: "error",
    title: "A task of a design does not say what it may touch",
    explanation:
      "Tasks of one wave run at once, so each names the files that it creates or modifies, and as its boundary those that it must leave alone: mostly what its neighbours own. A task without either would be one that nobody can keep apart from the others.",
    example:
      '"scope": { "create": ["src/api.py"], "modify": ["src/app.py::routes"], "boundary": ["src/models.py"] }',
  },
  {
    code: "design-path",
    severity: "error",
    title: "An entry of a scope is not one path",
    explanation:
      "Each entry is a path or a glob from the root of the repository, perhaps with ::Class.method behind it, and nothing else: it is compared with the files that the task changes. Remarks, several paths in one text and words such as none mean nothing there.",
    example: '"create": ["src/inventory/{models,views}.py", "tests/inventory/test_*.py"]',
  },
  {
    code: "modify-missing",
    severity: "error",
    title: "A task modifies what is not there",
    explanation:
      "A file can be modified when it is in the repository, or when a task of an earlier wave creates it. This one is neither: mostly the path is wrong, or the task is to create it, or the creating task is in the same wave.",
  },
  {
    code: "create-exists",
    severity: "error",
    title: "A task creates what is there already",
    explanation:
      "The file is in the repository, so the task would overwrite it. Put it under modify, or create another file. Of a glob it is only said that it covers files that are there.",
  },
  {
    code: "design-agent",
    severity: "error",
    title: "The agent of a task cannot be used",
    explanation:
      "Agents of tasks are named plugin:agent, as in our-experts:api-expert; those of .claude/agents/, and general-purpose of Claude, have no plugin in front. Known are those of .claude/agents/, those of agent-skills-mapping.yaml (in parallel/ or in the root), as far as the program which designs has them, and its others; of a design from a file, those of the plugins that artefact folders come from. One of yours that is not known belongs into the mapping, with its skills or with none. A run looks whether the program really has it.",
    example: "agents:\n  our-experts:api-expert: { skills: [] }",
  },
  {
    code: "design-skill",
    severity: "error",
    title: "A skill of a task is no name of one",
    explanation:
      "Skills are named plugin:skill; without a plugin, that of the agent is meant. Leave them out, and the mapping file of the project decides.",
    example: '"skills": ["our-experts:api-style"]',
  },
  {
    code: "task-size",
    severity: "warning",
    title: "A task is too large or too small",
    explanation:
      "Two to four hours of work of a person are a good task: less is not worth an agent of its own, more gets lost. Above eight hours, or without any, it is an error. A task that owns a great many paths is probably several tasks.",
  },
  {
    code: "design-contract",
    severity: "error",
    title: "A task relies on a contract that the design does not give",
    explanation:
      "contracts.types becomes contracts/types.py (or .ts, .go), contracts.api_schema becomes contracts/api-schema.yaml. A task can name these and no others. A design without any is only warned of: its tasks then agree on nothing.",
  },
  {
    code: "design-shape",
    severity: "warning",
    title: "The waves of a design allow little to be done at once",
    explanation:
      "Each wave waits for the whole wave before it. A first wave of one task, or more than four waves, is mostly a sign that something could be agreed on in a contract instead of being waited for.",
  },
  {
    code: "design-patch",
    severity: "error",
    title: "Changes of a design cannot be applied",
    explanation:
      "A design with errors, or one that a person wants changed, goes back to its architect, which answers with a patch: the tasks that change or are added, by id, the ids of those to remove, and the other parts that change. Each id appears once, a removed task is one of the design, and something is different afterward.",
    example: '{ "tasks": [{ "id": "task-002", … }], "remove_tasks": ["task-003"], "context_summary": null }',
  },
] as const satisfies readonly CodeEntry[];

export type DesignCode = (typeof designCodes)[number]["code"];

const severities: ReadonlyMap<string, Severity> = new Map(
  designCodes.map(({ code, severity }) => [code, severity]),
);

type Finding = Omit<Parameters<typeof diagnostic>[0], "code" | "at"> & { readonly at: SourceRange };

/** As grave as the table says, unless it is said otherwise. */
export function designFinding(code: DesignCode, finding: Finding): Diagnostic {
  return diagnostic({ code, severity: severities.get(code) ?? "error", ...finding });
}
