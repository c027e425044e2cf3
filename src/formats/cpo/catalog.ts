import type { Catalog } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { listQuoted, quoted } from "../../core/text/figures.ts";
import { fix, type Sentence } from "../../core/text/sentence.ts";

type Task = { readonly task: string };
type Wave = { readonly wave: number };

type WaveProblem =
  | ({ readonly kind: "repeated" } & Wave)
  | ({ readonly kind: "gap"; readonly before: number } & Wave)
  | ({ readonly kind: "empty" } & Wave)
  | ({ readonly kind: "empty-validated"; readonly checked: number } & Wave)
  | ({ readonly kind: "nothing-to-validate" } & Wave);

function formatWaveProblem(problem: WaveProblem): string {
  switch (problem.kind) {
    case "repeated":
      return `two waves have the number ${problem.wave}`;
    case "gap":
      return `wave ${problem.wave} follows ${problem.before === 0 ? "the start" : `wave ${problem.before}`}; expected wave ${problem.before + 1}`;
    case "empty":
      return `wave ${problem.wave} has no tasks`;
    case "empty-validated":
      return `wave ${problem.wave} has no tasks; its validation runs after wave ${problem.checked}`;
    default:
      return `wave ${problem.wave} has a validation, but no wave up to it has tasks`;
  }
}

function formatWaveFix(problem: WaveProblem): string {
  switch (problem.kind) {
    case "repeated":
      return "merge the two waves, or change one `number`";
    case "gap":
      return `write \`"number": ${problem.before + 1}\`, or add the missing wave`;
    case "empty":
      return `add \`tasks\`, or delete wave ${problem.wave}`;
    case "empty-validated":
      return `move \`validation\` to wave ${problem.checked}, and delete wave ${problem.wave}`;
    default:
      return "move `validation` to the wave whose tasks it checks, or delete it";
  }
}

type Mismatch = Task &
  (
    | { readonly key: "id"; readonly file: string }
    | { readonly key: "wave"; readonly file: number; readonly manifest: number }
    | { readonly key: "agent"; readonly file: string; readonly manifest: string }
    | { readonly key: "covers"; readonly file: readonly string[]; readonly manifest: readonly string[] }
  );

function formatMismatch(params: Mismatch): string {
  const file = `the task file of ${quoted(params.task)}`;
  switch (params.key) {
    case "id":
      return `${file} has the id ${quoted(params.file)}`;
    case "wave":
      return `${file} has wave ${params.file}, the manifest has wave ${params.manifest}`;
    case "agent":
      return `${file} has the agent ${quoted(params.file)}; the manifest's ${quoted(params.manifest)} is used`;
    default:
      return `${file} covers ${params.file.join(", ")}, which is used; the manifest has ${params.manifest.join(", ")}`;
  }
}

function formatMismatchFix(params: Mismatch): string {
  if (params.key === "id") return `write \`id: ${params.task}\`, or rename the file`;
  if (params.key === "covers") return "write the same ids in both: `covers`";
  return `write \`${params.key}: ${params.manifest}\``;
}

type MissingSpec =
  | { readonly kind: "none"; readonly task: string }
  | { readonly kind: "named"; readonly path: string; readonly suggestion: string | null }
  | { readonly kind: "unreadable"; readonly path: string; readonly problem: string };

/** Artifact folders: a manifest with task files, prompts and contracts. */
export const cpoCatalog = {
  "wave-order": {
    severity: "error",
    title: "Waves are not numbered 1, 2, 3",
    explanation:
      "Waves run in the order of their numbers. Two waves with one number are an error; a gap or an empty wave is a warning. The validation of an empty wave runs after the wave before it.",
    example: '"waves": [{ "number": 1, "tasks": [] }, { "number": 2, "tasks": [] }]',
    message: formatWaveProblem,
    hint: formatWaveFix,
    related: ({ wave }: Wave) => `wave ${wave}`,
  },
  "task-id-form": {
    severity: "warning",
    title: "Unusual task id",
    explanation:
      "In an artifact folder ids are task-001 or task-001-component, and other tools find task files, prompts and logs by the number. plait accepts any valid id.",
    message: ({ task }: Task) => `the task id ${quoted(task)} is not like task-001 or task-001-component`,
    hint: "rename the task: `task-001-users`",
  },
  "spec-missing": {
    severity: "warning",
    title: "A task has no task file",
    explanation:
      "The file in tasks/ lists what a task may create and modify, its boundary and its needs. Without it the task may change any file and waits only for its wave. If the manifest lists task files, a missing one is an error.",
    message: (params: MissingSpec) => {
      if (params.kind === "none")
        return `${quoted(params.task)} has no task file, so its scope and needs are unknown`;
      const file = `the task file ${quoted(params.path)}`;
      return params.kind === "named" ? `${file} does not exist` : `${file} ${params.problem}`;
    },
    hint: (params: MissingSpec) => {
      if (params.kind === "none") return `write \`tasks/${params.task}.md\``;
      if (params.kind === "unreadable") return null;
      return params.suggestion === null
        ? "use a path from the manifest's folder: `tasks/task-001.md`"
        : `did you mean ${quoted(params.suggestion)}?`;
    },
  },
  "spec-unused": {
    severity: "warning",
    title: "A task file without a task",
    explanation:
      "The manifest decides which tasks exist, so the file is ignored. Its task may be missing or renamed.",
    message: ({ path }: { readonly path: string }) =>
      `the task file ${quoted(path)} belongs to no task in the manifest`,
    hint: ({ isListed }: { readonly isListed: boolean }) =>
      isListed ? "add it to `tasks.files`" : "add its task to a wave's `tasks`, or delete the file",
  },
  "spec-mismatch": {
    severity: "error",
    title: "A task file contradicts the manifest",
    explanation:
      "Id and wave are in both files and must be the same. If the agent differs, the manifest's is used and this is a warning.",
    message: formatMismatch,
    hint: formatMismatchFix,
    related: ({ what }: { readonly what: string }) => `${what} in the manifest`,
  },
  "prompt-missing": {
    severity: "error",
    title: "A task has no prompt",
    explanation:
      "Each agent gets the prompt file of its task: `prompt_file`, or prompts/<id>.txt or prompts/task-NNN.txt. It is missing, empty or outside the folder.",
    example: '{ "id": "task-001-users", "agent": "plugin:agent", "prompt_file": "prompts/task-001.txt" }',
    message: ({
      task,
      files,
      problem,
    }: Task & { readonly files: readonly string[]; readonly problem: string }) =>
      `the prompt file of ${quoted(task)} (${files.map(quoted).join(" or ")}) ${problem}`,
    hint: ({ folder }: { readonly folder: string }): Sentence =>
      fix("generate it from the task file", plait("spec prompts", folder)),
  },
  "scope-missing": {
    severity: "warning",
    title: "A task file has no complete scope",
    explanation:
      "`## Scope` lists CREATE:, MODIFY: and BOUNDARY: with paths and globs. Without them plait cannot find overlaps between tasks.",
    example:
      "## Scope\nCREATE: apps/users/{models,views}.py\nMODIFY: config/urls.py::urlpatterns\nBOUNDARY: apps/orders/*",
    message: ({ missing }: { readonly missing: "scope" | "boundary" }) =>
      missing === "scope"
        ? "the task file has no scope, so its task may change any file"
        : "the scope has no BOUNDARY",
    hint: ({ missing }: { readonly missing: "scope" | "boundary" }) =>
      missing === "scope"
        ? "add `## Scope` with lines CREATE:, MODIFY: and BOUNDARY:"
        : "list the paths the task must not change: `BOUNDARY: apps/orders/*`",
  },
  "scope-entry": {
    severity: "warning",
    title: "A scope entry is not a path",
    explanation:
      "The entry is ignored, because a scope is compared with changed files. Put a path with blanks between backticks.",
    message: ({ word, text, isPart }: { word: string; text: string; isPart: boolean }) =>
      isPart
        ? `${word} has ${quoted(text)}, but a boundary covers whole files`
        : `${word} has ${quoted(text)}, which is not a path`,
    hint: "write paths and globs from the root, separated by commas: `src/api/, docs/*.md`",
  },
  "contract-missing": {
    severity: "warning",
    title: "A contract does not exist",
    explanation:
      "Contracts are files that tasks read and none may change. Their paths start at the manifest's folder.",
    message: ({ task, path, problem }: Task & { readonly path: string; readonly problem: string }) =>
      `${quoted(task)} lists the contract ${quoted(path)}, which ${problem}`,
    hint: "use a path from the manifest's folder: `contracts/types.ts`",
  },
  "file-unread": {
    severity: "warning",
    title: "A file in the folder was ignored",
    explanation:
      "Agents get context.md and load the skills in agent-skills-mapping.yaml. The file is not text, is too large, or is a link out of the repository.",
    message: ({ path, problem }: { readonly path: string; readonly problem: string }) =>
      `${quoted(path)} ${problem}, so agents do not get it`,
    hint: ({ path }: { readonly path: string }) => `replace it with a text file: ${quoted(path)}`,
  },
  "dependency-spec": {
    severity: "error",
    title: "Invalid dependency",
    explanation:
      "Dependencies become arguments of uv or a package manager. Options and shell characters are not allowed.",
    example: '"dependencies": { "python": { "add": ["pydantic==2.5.3"] } }',
    message: ({ name, problem }: { readonly name: string; readonly problem: string }) =>
      `the dependency ${quoted(name)} ${problem}`,
    hint: "write a name and a version: `pydantic==2.5.3` or `zod@3.22.4`",
  },
  "dependency-unpinned": {
    severity: "warning",
    title: "A dependency is not pinned",
    explanation:
      "All agents of a run start from the same lockfile, but the next run may install another version. Pin as name==1.2.3 for Python and name@1.2.3 for Node.",
    message: ({ name }: { readonly name: string }) =>
      `the dependency ${quoted(name)} is not pinned to a version`,
    hint: (): Sentence => fix("pin all dependencies", plait("spec align", { placeholder: "folder" })),
  },
  "program-missing": {
    severity: "warning",
    title: "A required program is missing",
    explanation:
      "uv, npm, pnpm, yarn or bun installs packages before the first task. The program is not on this PATH, so a run would not start here.",
    message: ({ program }: { readonly program: string }) =>
      `the plan needs ${program}, which is not on the PATH`,
    hint: ({ install }: { readonly install: string }) => install,
  },
  "package-manager": {
    severity: "warning",
    title: "Unclear which package manager to use",
    explanation:
      "`packageManager` in package.json decides, otherwise the lockfile at the root, otherwise npm.",
    message: (
      params:
        | { readonly kind: "no-package-json" }
        | { readonly kind: "several"; used: string; others: readonly string[] },
    ) =>
      params.kind === "no-package-json"
        ? "the plan installs Node packages, but the root has no package.json"
        : `several lockfiles: using ${params.used}, not ${listQuoted(params.others, "others")}`,
    hint: (params: { readonly kind: "no-package-json" } | { readonly kind: "several"; used: string }) =>
      params.kind === "no-package-json"
        ? "create one: `npm init`"
        : `choose one in package.json: \`"packageManager": "${params.used}@…"\``,
  },
} as const satisfies Catalog;
