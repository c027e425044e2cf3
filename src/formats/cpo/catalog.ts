import type { Catalog } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { listQuoted, quoted } from "../../core/text/figures.ts";
import { fix, type Sentence } from "../../core/text/sentence.ts";
import { type Strings, type Suggested, wordKinds } from "../catalog-kinds.ts";

type Task = Strings<"task">;
/** `reason`: why it could not be pinned. */
type Unpinned = Strings<"name"> & { readonly reason?: string };
type Wave = { readonly wave: number };
type Checked = Wave & { readonly checked: number };

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
      return `${file} sets the id ${quoted(params.file)}`;
    case "wave":
      return `${file} sets wave ${params.file}, but the manifest sets wave ${params.manifest}`;
    case "agent":
      return `${file} sets the agent ${quoted(params.file)}, but the manifest's ${quoted(params.manifest)} is used`;
    default:
      return `${file} covers ${params.file.join(", ")} (used), but the manifest lists ${params.manifest.join(", ")}`;
  }
}

function formatMismatchFix(params: Mismatch): string {
  if (params.key === "id") return `set \`id: ${params.task}\`, or rename the file`;
  if (params.key === "covers") return "make `covers` the same in both files";
  return `set \`${params.key}: ${params.manifest}\` in the task file`;
}

/** Artifact folders: a manifest with task files, prompts and contracts. */
export const cpoCatalog = {
  "wave-order": {
    severity: "error",
    title: "Waves are not numbered 1, 2, 3",
    explanation:
      "Waves run in the order of their numbers. Two waves with one number are an error; a gap or an empty wave is a warning. The validation of an empty wave runs after the wave before it.",
    example: '"waves": [{ "number": 1, "tasks": [] }, { "number": 2, "tasks": [] }]',
    ...wordKinds({
      repeated: [
        ({ wave }: Wave) => `two waves have the number ${wave}`,
        "merge the two waves, or change one `number`",
      ],
      gap: [
        ({ wave, before }: Wave & { readonly before: number }) =>
          `wave ${wave} follows ${before === 0 ? "the start" : `wave ${before}`}; expected wave ${before + 1}`,
        ({ before }: { readonly before: number }) =>
          `set \`"number": ${before + 1}\`, or add the missing wave`,
      ],
      empty: [
        ({ wave }: Wave) => `wave ${wave} has no tasks`,
        ({ wave }: Wave) => `add \`tasks\`, or delete wave ${wave}`,
      ],
      "empty-validated": [
        ({ wave, checked }: Checked) =>
          `wave ${wave} has no tasks; its validation runs after wave ${checked}`,
        ({ wave, checked }: Checked) => `move \`validation\` to wave ${checked}, and delete wave ${wave}`,
      ],
      "nothing-to-validate": [
        ({ wave }: Wave) => `wave ${wave} has a validation, but no wave up to it has tasks`,
        "move `validation` to the wave whose tasks it checks, or delete it",
      ],
    }),
    related: ({ wave }: Wave) => `wave ${wave}`,
  },
  "task-id-form": {
    severity: "warning",
    title: "Unusual task id",
    explanation:
      "In an artifact folder ids are task-001 or task-001-component, and other tools find task files, prompts and logs by the number. plait accepts any valid id.",
    message: ({ task }: Task) =>
      `unusual task id ${quoted(task)}; expected \`task-001\` or \`task-001-component\``,
    hint: "rename the task: `task-001-users`",
  },
  "spec-missing": {
    severity: "warning",
    title: "A task has no task file",
    explanation:
      "The file in tasks/ lists what a task may create and modify, its boundary and its needs. Without it the task may change any file and waits only for its wave. If the manifest lists task files, a missing one is an error.",
    ...wordKinds({
      none: [
        ({ task }: Task) => `${quoted(task)} has no task file, so its scope and needs are unknown`,
        ({ task }: Task) => `create \`tasks/${task}.md\``,
      ],
      named: [
        ({ path }: Strings<"path">) => `the task file ${quoted(path)} does not exist`,
        ({ suggestion }: Suggested) =>
          suggestion === null
            ? "use a path from the manifest's folder: `tasks/task-001.md`"
            : `did you mean ${quoted(suggestion)}?`,
      ],
      unreadable: [
        ({ path, problem }: Strings<"path" | "problem">) => `the task file ${quoted(path)} ${problem}`,
        ({ path }: Strings<"path">) => `make the file readable UTF-8 text: ${quoted(path)}`,
      ],
    }),
  },
  "spec-unused": {
    severity: "warning",
    title: "A task file without a task",
    explanation:
      "The manifest decides which tasks exist, so the file is ignored. Its task may be missing or renamed.",
    message: ({ path }: Strings<"path">) =>
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
    related: ({ what }: Strings<"what">) => `${what} in the manifest`,
  },
  "prompt-missing": {
    severity: "error",
    title: "A task has no prompt",
    explanation:
      "Each agent gets the prompt file of its task: `prompt_file`, or prompts/<id>.txt or prompts/task-NNN.txt. It is missing, empty or outside the folder.",
    example: '{ "id": "task-001-users", "agent": "plugin:agent", "prompt_file": "prompts/task-001.txt" }',
    message: ({ task, files, problem }: Strings<"task" | "problem"> & { files: readonly string[] }) =>
      `the prompt file of ${quoted(task)} (${files.map(quoted).join(" or ")}) ${problem}`,
    hint: ({ folder }: Strings<"folder">): Sentence =>
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
      "The entry is ignored, because a scope is compared with changed files. Put a path with spaces between backticks.",
    message: ({ word, text, isPart }: { word: string; text: string; isPart: boolean }) =>
      isPart
        ? `${word} has ${quoted(text)}, but a boundary covers whole files`
        : `${word} has ${quoted(text)}, which is not a path`,
    hint: "use paths and globs from the root, separated by commas: `src/api/, docs/*.md`",
  },
  "contract-missing": {
    severity: "warning",
    title: "A contract does not exist",
    explanation:
      "Contracts are files that tasks read and none may change. Their paths start at the manifest's folder.",
    message: ({ task, path, problem }: Strings<"task" | "path" | "problem">) =>
      `${quoted(task)} lists the contract ${quoted(path)}, which ${problem}`,
    hint: "use a path from the manifest's folder: `contracts/types.ts`",
  },
  "file-unread": {
    severity: "warning",
    title: "A file in the folder was ignored",
    explanation:
      "Agents get context.md and load the skills in agent-skills-mapping.yaml. The file is not text, is too large, or is a link out of the repository.",
    message: ({ path, problem }: Strings<"path" | "problem">) =>
      `${quoted(path)} ${problem}, so agents do not get it`,
    hint: ({ path }: Strings<"path">) => `replace it with a text file: ${quoted(path)}`,
  },
  "dependency-spec": {
    severity: "error",
    title: "Invalid dependency",
    explanation:
      "Dependencies become arguments of uv or a package manager. Options and shell characters are not allowed.",
    example: '"dependencies": { "python": { "add": ["pydantic==2.5.3"] } }',
    message: ({ name, problem }: Strings<"name" | "problem">) => `the dependency ${quoted(name)} ${problem}`,
    hint: "use a name and a version: `pydantic==2.5.3` or `zod@3.22.4`",
  },
  "dependency-unpinned": {
    severity: "warning",
    title: "A dependency is not pinned",
    explanation:
      "All agents of a run start from the same lockfile, but the next run may install another version. Pin as name==1.2.3 for Python and name@1.2.3 for Node.",
    message: ({ name, reason }: Unpinned) =>
      `the dependency ${quoted(name)} is not pinned to a version${reason === undefined ? "" : `: ${reason}`}`,
    hint: ({ reason }: Unpinned): Sentence => {
      const purpose =
        reason === undefined ? "pin all dependencies" : "pin its version, or fix that and align again";
      return fix(purpose, plait("spec align", { placeholder: "folder" }));
    },
  },
  "program-missing": {
    severity: "warning",
    title: "A required program is missing",
    explanation:
      "uv, npm, pnpm, yarn or bun installs packages before the first task. The program is not on this PATH, so a run would not start here.",
    message: ({ program }: Strings<"program">) => `the plan needs ${program}, which is not on the PATH`,
    hint: ({ install }: Strings<"install">) => install,
  },
  "package-manager": {
    severity: "warning",
    title: "Unclear which package manager to use",
    explanation:
      "`packageManager` in package.json decides, otherwise the lockfile at the root, otherwise npm.",
    ...wordKinds({
      "no-package-json": [
        "the plan installs Node packages, but the root has no package.json",
        "create one: `npm init`",
      ],
      several: [
        ({ used, others }: Strings<"used"> & { readonly others: readonly string[] }) =>
          `several lockfiles: using ${used}, not ${listQuoted(others, "others")}`,
        ({ used }: Strings<"used">) => `choose one in package.json: \`"packageManager": "${used}@…"\``,
      ],
    }),
  },
} as const satisfies Catalog;
