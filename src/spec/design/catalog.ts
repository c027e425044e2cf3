import { capFlags } from "../../core/caps.ts";
import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { listQuoted, quoted } from "../../core/text/figures.ts";

type Task = { readonly task: string };
type Path = Task & { readonly path: string };

type PathProblem = { readonly path: string } & (
  | { readonly kind: "nothing" | "several" | "not-a-path" | "remark" | "git" }
  | { readonly kind: "part"; readonly file: string }
);

const pathProblems = {
  nothing: ["is not a path", "delete it; a list may be empty: `[]`"],
  several: ["names several paths", 'write each path as its own entry: `["a.py", "b.py"]`'],
  "not-a-path": ["is not a path", "write only a path or a glob: `src/api/*.py`"],
  remark: ["has more than a path", "write only a path or a glob, and remarks in `requirements`"],
  git: ["belongs to git and cannot be committed", "name a file of the project: `src/api.py`"],
} as const;

type MissingFile = Path &
  (
    | { readonly kind: "own" }
    | { readonly kind: "later"; readonly wave: number; readonly maker: string; readonly makerWave: number }
    | { readonly kind: "none"; readonly suggestion: string | null }
  );

type ExistingFile = Path &
  (
    | { readonly kind: "file" | "folder" }
    | { readonly kind: "in-file" | "other-case" | "covered"; readonly other: string }
  );

type ContractProblem =
  | { readonly kind: "none" }
  | {
      readonly kind: "unknown";
      readonly task: string;
      readonly contract: string;
      readonly suggestion: string | null;
      readonly given: readonly string[];
    };

type SizeProblem = Task &
  (
    | {
        readonly kind: "hours";
        readonly hours: number;
        readonly few: number;
        readonly many: number;
        readonly most: number;
      }
    | { readonly kind: "paths"; readonly paths: number; readonly most: number }
  );

type ShapeProblem =
  | { readonly kind: "alone"; readonly task: string }
  | { readonly kind: "waves"; readonly waves: number; readonly most: number };

type PatchProblem =
  | { readonly kind: "repeated" | "both"; readonly task: string }
  | {
      readonly kind: "unknown";
      readonly task: string;
      readonly suggestion: string | null;
      readonly ids: readonly string[];
    }
  | { readonly kind: "no-change" };

const MOST_NAMED = 6;

/** Designs: how a tech spec is split into tasks. */
export const designCatalog = {
  "design-too-large": {
    severity: "error",
    title: "The design is too large",
    explanation:
      "A design is one JSON document with everything in the artifact folder. --max-plan-bytes raises the limit.",
    message: ({ bytes, limit }: { readonly bytes: number; readonly limit: number }) =>
      `the design has ${bytes} bytes, the limit is ${limit}`,
    hint: `raise the limit: ${capFlags.maxPlanBytes}`,
  },
  "design-scope": {
    severity: "error",
    title: "Incomplete scope of a task",
    explanation:
      "Tasks of one wave run in parallel, so each lists the files it creates or modifies, and as its boundary the files it must not change, usually those that other tasks own.",
    example:
      '"scope": { "create": ["src/api.py"], "modify": ["src/app.py::routes"], "boundary": ["src/models.py"] }',
    message: ({ task, missing }: Task & { readonly missing: "boundary" | "files" }) =>
      missing === "boundary"
        ? `${quoted(task)} has no boundary`
        : `${quoted(task)} creates and modifies no files`,
    hint: ({ missing }: { readonly missing: "boundary" | "files" }) =>
      missing === "boundary"
        ? "list the files that other tasks own: `boundary`"
        : "list files in `create` or `modify`, or delete the task",
  },
  "design-path": {
    severity: "error",
    title: "A scope entry is not a path",
    explanation:
      "Each entry is one path or glob from the root of the repository, optionally with ::Class.method, because it is compared with changed files.",
    example: '"create": ["src/inventory/{models,views}.py", "tests/inventory/test_*.py"]',
    message: (params: PathProblem) =>
      params.kind === "part"
        ? `${quoted(params.path)} names a part, but a file is created as a whole`
        : `${quoted(params.path)} ${pathProblems[params.kind][0]}`,
    hint: (params: PathProblem) =>
      params.kind === "part"
        ? `write ${quoted(params.file)}, or name the part in \`modify\``
        : pathProblems[params.kind][1],
  },
  "modify-missing": {
    severity: "error",
    title: "A task modifies a missing file",
    explanation:
      "A file can be modified if it is in the repository or a task in an earlier wave creates it. Correct the path, create the file, or move the task to a later wave.",
    message: (params: MissingFile) => {
      const modifies = `${quoted(params.task)} modifies ${quoted(params.path)}`;
      if (params.kind === "own") return `${modifies}, which it also creates`;
      if (params.kind === "none") return `${modifies}, which is not in the repository or an earlier wave`;
      return `${modifies} in wave ${params.wave}, but ${quoted(params.maker)} creates it in wave ${params.makerWave}`;
    },
    hint: (params: MissingFile) => {
      if (params.kind === "own") return "delete the path from `modify`";
      if (params.kind === "later") return `move ${quoted(params.task)}: \`"wave": ${params.makerWave + 1}\``;
      return suggest(params.suggestion, "correct the path, or move it to `create`");
    },
    related: ({ task }: Task) => `${quoted(task)} is here`,
  },
  "create-exists": {
    severity: "error",
    title: "A task creates an existing file",
    explanation:
      "The file is in the repository, so the task would overwrite it. Use modify, or create another file. A glob that covers existing files is a warning.",
    message: (params: ExistingFile) => {
      const creates = `${quoted(params.task)} creates ${quoted(params.path)}`;
      switch (params.kind) {
        case "file":
          return `${creates}, which already exists`;
        case "folder":
          return `${creates}, which is an existing folder`;
        case "in-file":
          return `${creates}, but ${quoted(params.other)} is a file`;
        case "other-case":
          return `${creates}, which is ${quoted(params.other)} on macOS and Windows`;
        default:
          return `${creates}, which covers the existing file ${quoted(params.other)}`;
      }
    },
    hint: (params: ExistingFile) => {
      switch (params.kind) {
        case "file":
          return "move it to `modify`, or create another file";
        case "folder":
          return `list the files in it: \`${params.path}/…\``;
        case "in-file":
          return `correct the path ${quoted(params.path)}`;
        case "other-case":
          return `move ${quoted(params.other)} to \`modify\`, or use another name`;
        default:
          return "list the new files in `create`";
      }
    },
  },
  "design-agent": {
    severity: "error",
    title: "Unknown or invalid agent of a task",
    explanation:
      "Agents are named plugin:agent; those in .claude/agents/ and general-purpose have no plugin. Known agents are those in .claude/agents/, in agent-skills-mapping.yaml, and those of the program that designs. Add your own to the mapping.",
    example: "agents:\n  our-experts:api-expert: { skills: [] }",
    message: ({ task, agent, isValid }: Task & { readonly agent: string; readonly isValid: boolean }) =>
      isValid
        ? `${quoted(task)} uses the unknown agent ${quoted(agent)}`
        : `${quoted(task)} uses ${quoted(agent)}, which is not an agent name`,
    hint: (params: {
      readonly isValid: boolean;
      readonly suggestion: string | null;
      readonly known: readonly string[];
    }) =>
      params.isValid
        ? suggest(params.suggestion, `use a known agent: ${listQuoted(params.known, "agents", MOST_NAMED)}`)
        : "write `general-purpose`, or `plugin:agent`",
  },
  "design-skill": {
    severity: "error",
    title: "Invalid skill name",
    explanation:
      "Skills are named plugin:skill; without a plugin, the agent's plugin is used. Omit them to use the project's mapping file.",
    example: '"skills": ["our-experts:api-style"]',
    message: ({ task, skill }: Task & { readonly skill: string }) =>
      `${quoted(task)} has the skill ${quoted(skill)}, which is not a skill name`,
    hint: "write `plugin:skill`",
  },
  "task-size": {
    severity: "warning",
    title: "A task is too large or too small",
    explanation:
      "Two to four hours of a person's work are a good task. More than eight hours, or none, is an error. A task that owns very many paths is probably several tasks.",
    message: (params: SizeProblem) => {
      if (params.kind === "paths")
        return `${quoted(params.task)} owns ${params.paths} paths; up to ${params.most} are good`;
      const { task, hours, few, many, most } = params;
      const range =
        hours <= 0 || hours > most ? `allowed: more than 0, up to ${most}` : `${few} to ${many} h are good`;
      return `${quoted(task)} takes ${hours} h; ${range}`;
    },
    hint: (params: SizeProblem) => {
      if (params.kind === "paths") return "split the task, or own a folder: `src/api/`";
      return params.hours > params.many
        ? "split the task, or correct `hours`"
        : "merge it with another task, or correct `hours`";
    },
  },
  "design-contract": {
    severity: "error",
    title: "A contract is missing from the design",
    explanation:
      "contracts.types becomes contracts/types.py (or .ts, .go), contracts.api_schema becomes contracts/api-schema.yaml. Tasks can use only these. A design without contracts is a warning: its tasks agree on nothing.",
    message: (params: ContractProblem) =>
      params.kind === "none"
        ? "the design has no contracts, so its tasks agree on nothing"
        : `${quoted(params.task)} uses the contract ${quoted(params.contract)}, which is not in the design`,
    hint: (params: ContractProblem) => {
      if (params.kind === "none") return "add the types that tasks share: `contracts.types`";
      const { suggestion, given } = params;
      return suggest(
        suggestion,
        given.length === 0
          ? "add it: `contracts.types` or `contracts.api_schema`"
          : `use one of ${listQuoted(given, "contracts")}`,
      );
    },
  },
  "design-shape": {
    severity: "warning",
    title: "Little can run in parallel",
    explanation:
      "Each wave waits for the whole wave before it. A first wave of one task, or more than four waves, often means that a contract could replace a wait.",
    message: (params: ShapeProblem) =>
      params.kind === "alone"
        ? `${quoted(params.task)} is alone in wave 1, so all other tasks wait for it`
        : `${params.waves} waves; up to ${params.most} are good`,
    hint: ({ kind }: ShapeProblem) =>
      kind === "alone"
        ? "put what the others need into a contract: `contracts.types`"
        : "merge waves whose tasks need little of each other: `wave`",
  },
  "design-patch": {
    severity: "error",
    title: "Invalid changes to a design",
    explanation:
      "An architect answers errors with a patch: changed or added tasks by id, ids of tasks to remove, and other changed parts. Each id appears once, a removed task must exist, and the patch must change something.",
    example: '{ "tasks": [{ "id": "task-002", … }], "remove_tasks": ["task-003"], "context_summary": null }',
    message: (params: PatchProblem) => {
      switch (params.kind) {
        case "repeated":
          return `the patch has ${quoted(params.task)} twice`;
        case "both":
          return `the patch both changes and removes ${quoted(params.task)}`;
        case "unknown":
          return `the patch removes ${quoted(params.task)}, which is not a task in the design`;
        default:
          return "the patch changes nothing";
      }
    },
    hint: (params: PatchProblem) => {
      if (params.kind === "no-change") return "add each part that must change, as it should be: `tasks`";
      if (params.kind !== "unknown") return `keep one ${quoted(params.task)}`;
      return suggest(params.suggestion, `use one of ${listQuoted(params.ids, "tasks")}`);
    },
  },
} as const satisfies Catalog;

export const buildDesignFinding: FindingBuilder<typeof designCatalog> = createFindingBuilder(designCatalog);
