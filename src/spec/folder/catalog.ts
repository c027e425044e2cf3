import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { count, listQuoted, quoted } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";

type Folder = { readonly folder: string };

type Unchecked =
  | { readonly kind: "link"; readonly path: string; readonly reason: string; readonly more: number }
  | { readonly kind: "many"; readonly most: number };

type StaleGraph =
  | { readonly kind: "unreadable"; readonly problem: string }
  | { readonly kind: "unknown"; readonly task: string }
  | { readonly kind: "missing"; readonly tasks: readonly string[] };

type StaleMetadata =
  | { readonly kind: "count"; readonly written: number; readonly tasks: number }
  | { readonly kind: "critical-path"; readonly task: string; readonly suggestion: string | null };

const MOST_LISTED = 6;

/** Artifact folders beyond manifest, task files and contracts. A run does not depend on these. */
export const folderCatalog = {
  "folder-incomplete": {
    severity: "warning",
    title: "Missing files in the artifact folder",
    explanation:
      "A complete folder has context.md, which every agent gets, contracts that tasks agree on, and architecture.md and task-graph.md for people. A run works without them, but its parts may not fit together.",
    message: (params: { readonly missing: readonly string[] } | { readonly empty: string }) =>
      "empty" in params
        ? `${quoted(params.empty)} is empty`
        : `missing in the folder: ${listQuoted(params.missing, "files")}`,
    hint: (params: { readonly missing: readonly string[] } | { readonly empty: string }) =>
      "empty" in params
        ? `describe the goal, conventions and tests in ${quoted(params.empty)}`
        : fix("add the files, or see an example", plait("spec init", { placeholder: "new-folder" })),
  },
  "contract-unchecked": {
    severity: "warning",
    title: "Some contracts are not checked",
    explanation: "plait does not follow links to folders in contracts/, and checks only the first 200 files.",
    message: (params: Unchecked) =>
      params.kind === "many"
        ? `more than ${params.most} contracts; the rest are not checked`
        : `contracts in ${quoted(params.path)} are not checked: it ${params.reason}${params.more === 0 ? "" : ` (and ${params.more} more)`}`,
    hint: (params: Unchecked) =>
      params.kind === "many"
        ? "keep only contracts that tasks share in `contracts/`"
        : "copy the files into `contracts/`",
  },
  "graph-stale": {
    severity: "warning",
    title: "The task graph is out of date",
    explanation:
      "task-graph.md shows the tasks for people, and differs from the manifest. `plait spec graph` redraws it.",
    message: (params: StaleGraph) => {
      if (params.kind === "unreadable") return `task-graph.md ${params.problem}`;
      if (params.kind === "unknown")
        return `the graph shows ${quoted(params.task)}, which is not a task in the manifest`;
      return `the graph does not show ${listQuoted(params.tasks, "tasks", MOST_LISTED)}`;
    },
    hint: ({ folder }: Folder) => fix("redraw the graph", plait("spec graph", folder)),
  },
  "coverage-stale": {
    severity: "warning",
    title: "The coverage table is out of date",
    explanation:
      "coverage.md lists the tasks, files and tests of each requirement. Task files, the manifest or the documents changed since it was written.",
    message: ({ problem }: { readonly problem: string | null }) =>
      `coverage.md ${problem ?? "differs from task files and documents"}`,
    hint: ({ folder }: Folder) => fix("write it again", plait("spec coverage", folder)),
  },
  "metadata-stale": {
    severity: "warning",
    title: "Outdated metadata in the manifest",
    explanation:
      "total_tasks is the number of tasks in all waves, and critical_path lists some of them. plait does not use them; other readers may.",
    message: (params: StaleMetadata) =>
      params.kind === "count"
        ? `total_tasks is ${params.written}, but the manifest has ${count(params.tasks, "task")}`
        : `critical_path has ${quoted(params.task)}, which is not a task in the manifest`,
    hint: (params: StaleMetadata) =>
      params.kind === "count"
        ? `write \`"total_tasks": ${params.tasks}\``
        : suggest(params.suggestion, `delete ${quoted(params.task)}`),
  },
  "technology-unknown": {
    severity: "warning",
    title: "Unknown technology in the manifest",
    explanation:
      "The technology (python, django, typescript or go) decides which checks `plait integrate` runs and which contracts it reads. Another value has no effect.",
    example: '"technology": "typescript"',
    message: ({ technology }: { readonly technology: string }) => `unknown technology ${quoted(technology)}`,
    hint: ({
      suggestion,
      known,
    }: {
      readonly suggestion: string | null;
      readonly known: readonly string[];
    }) => suggest(suggestion, `use a known technology: ${known.join(", ")}`),
  },
  "tech-spec-missing": {
    severity: "warning",
    title: "The manifest's tech spec is missing",
    explanation:
      "metadata.tech_spec is the file the folder was made from, as a path from the root of the repository. A run does not need it; reviewing the code against the tech spec does.",
    message: ({ path }: { readonly path: string }) => `the tech spec ${quoted(path)} does not exist`,
    hint: ({ moved }: { readonly moved: string | null }) =>
      moved === null
        ? fix("correct metadata.tech_spec; list tech specs", plait("spec list"))
        : `write \`"tech_spec": "${moved}"\``,
  },
  "prompt-unused": {
    severity: "warning",
    title: "A prompt without a task",
    explanation: "No task in the manifest uses this file in prompts/. Its task may be deleted or renamed.",
    message: ({ path }: { readonly path: string }) =>
      `the prompt ${quoted(path)} belongs to no task in the manifest`,
    hint: "add its task to a wave's `tasks`, or delete the file",
  },
} as const satisfies Catalog;

export const buildFolderFinding: FindingBuilder<typeof folderCatalog> = createFindingBuilder(folderCatalog);
