import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { count, listQuoted, quoted } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { type Strings, type Suggested, wordKinds } from "../../formats/catalog-kinds.ts";

type Folder = Strings<"folder">;

type Unchecked = Strings<"path" | "reason"> & { readonly more: number };
type Count = { readonly [K in "written" | "tasks"]: number };

const MOST_LISTED = 6;

/** Artifact folders beyond manifest, task files and contracts. A run does not depend on these. */
export const folderCatalog = {
  "folder-incomplete": {
    severity: "warning",
    title: "Missing files in the artifact folder",
    explanation:
      "A complete folder has context.md (sent to every agent), the contracts that tasks share, and architecture.md and task-graph.md for people. A run works without them, but the tasks' work may not fit together.",
    ...wordKinds({
      missing: [
        ({ missing }: { readonly missing: readonly string[] }) =>
          `missing in the artifact folder: ${listQuoted(missing, "files")}`,
        fix("add the files, or see an example", plait("spec init", { placeholder: "new-folder" })),
      ],
      empty: [
        ({ empty }: Strings<"empty">) => `${quoted(empty)} is empty`,
        ({ empty }: Strings<"empty">) => `describe the goal, conventions and tests in ${quoted(empty)}`,
      ],
    }),
  },
  "contract-unchecked": {
    severity: "warning",
    title: "Some contracts are not checked",
    explanation: "plait does not follow links to folders in contracts/, and checks only the first 200 files.",
    ...wordKinds({
      link: [
        ({ path, reason, more }: Unchecked) =>
          `${quoted(path)} ${reason}, so contracts in it are not checked${more === 0 ? "" : ` (and ${more} more)`}`,
        "copy the files into `contracts/`",
      ],
      many: [
        ({ most }: { readonly most: number }) =>
          `more than ${most} contracts; only the first ${most} are checked`,
        "from `contracts/`, remove contracts that only one task uses",
      ],
    }),
  },
  "graph-stale": {
    severity: "warning",
    title: "The task graph is out of date",
    explanation:
      "task-graph.md shows the tasks for people, and differs from the manifest. `plait spec graph` redraws it.",
    ...wordKinds({
      unreadable: [({ problem }: Strings<"problem">) => `task-graph.md ${problem}`],
      unknown: [
        ({ task }: Strings<"task">) => `the graph shows ${quoted(task)}, which is not a task in the manifest`,
      ],
      missing: [
        ({ tasks }: { readonly tasks: readonly string[] }) =>
          `the graph does not show ${listQuoted(tasks, "tasks", MOST_LISTED)}`,
      ],
    }),
    hint: ({ folder }: Folder) => fix("redraw the graph", plait("spec graph", folder)),
  },
  "coverage-stale": {
    severity: "warning",
    title: "The coverage table is out of date",
    explanation:
      "coverage.md lists the tasks, files and tests of each requirement. Task files, the manifest or the documents changed since it was written.",
    message: ({ problem }: { readonly problem: string | null }) =>
      `coverage.md ${problem ?? "does not match the task files and documents"}`,
    hint: ({ folder }: Folder) => fix("regenerate it", plait("spec coverage", folder)),
  },
  "metadata-stale": {
    severity: "warning",
    title: "Outdated metadata in the manifest",
    explanation:
      "total_tasks is the number of tasks in all waves, and critical_path lists some of them. plait does not use them; other readers may.",
    ...wordKinds({
      count: [
        ({ written, tasks }: Count) =>
          `\`total_tasks\` is ${written}, but the manifest has ${count(tasks, "task")}`,
        ({ tasks }: Count) => `set \`"total_tasks": ${tasks}\``,
      ],
      "critical-path": [
        ({ task }: Strings<"task">) =>
          `\`critical_path\` lists ${quoted(task)}, which is not a task in the manifest`,
        ({ task, suggestion }: Strings<"task"> & Suggested) =>
          suggest(suggestion, `remove ${quoted(task)} from \`critical_path\``),
      ],
    }),
  },
  "technology-unknown": {
    severity: "warning",
    title: "Unknown technology in the manifest",
    explanation:
      "The technology (python, django, typescript or go) decides which checks `plait integrate` runs and which contracts it reads. Another value has no effect.",
    example: '"technology": "typescript"',
    message: ({ technology }: Strings<"technology">) => `unknown technology ${quoted(technology)}`,
    hint: ({ suggestion, known }: Suggested & { readonly known: readonly string[] }) =>
      suggest(suggestion, `use a known technology: ${known.join(", ")}`),
  },
  "tech-spec-missing": {
    severity: "warning",
    title: "The manifest's tech spec is missing",
    explanation:
      "metadata.tech_spec is the file the folder was made from, as a path from the root of the repository. A run does not need it; reviewing the code against the tech spec does.",
    message: ({ path }: Strings<"path">) => `the tech spec ${quoted(path)} does not exist`,
    hint: ({ moved }: { readonly moved: string | null }) =>
      moved === null
        ? fix("correct metadata.tech_spec; list tech specs", plait("spec list"))
        : `set \`"tech_spec": "${moved}"\``,
  },
  "prompt-unused": {
    severity: "warning",
    title: "A prompt without a task",
    explanation: "No task in the manifest uses this file in prompts/. Its task may be deleted or renamed.",
    message: ({ path }: Strings<"path">) => `the prompt ${quoted(path)} belongs to no task in the manifest`,
    hint: "add its task to a wave's `tasks`, or delete the file",
  },
} as const satisfies Catalog;

export const buildFolderFinding: FindingBuilder<typeof folderCatalog> = createFindingBuilder(folderCatalog);
