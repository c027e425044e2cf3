import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings about artefact folders: a manifest with task files, prompts and contracts. */
export const cpoCodes = [
  {
    code: "manifest-missing",
    severity: "error",
    title: "The folder has no manifest that can be read",
    explanation:
      "An artefact folder is recognised by its manifest.json, which names the tasks and their waves. Without it there is nothing to run.",
  },
  {
    code: "wave-order",
    severity: "error",
    title: "Waves are not numbered 1, 2, 3",
    explanation:
      "Waves run in the order of their numbers, each when the one before is done. Two waves of one number are an error, since it is unclear which comes first; a gap or an empty wave is only warned of. The validation of an empty wave runs when the wave before is done; without one it is an error.",
    example: '"waves": [{ "number": 1, "tasks": [] }, { "number": 2, "tasks": [] }]',
  },
  {
    code: "task-id-form",
    severity: "warning",
    title: "A task id is not of the usual form",
    explanation:
      "In an artefact folder ids are task-001 or task-001-component: task files, prompts and logs are found by the number. Any id that is safe in branch names works here, but other tools of this format may not find its files.",
  },
  {
    code: "spec-missing",
    severity: "warning",
    title: "A task has no task file",
    explanation:
      "The file in tasks/ says what a task may create and modify, what it must not touch and which tasks it needs. Without it the task may change any file and waits for its wave only. A manifest whose tasks are files cannot do without it, so there it is an error.",
  },
  {
    code: "spec-unused",
    severity: "warning",
    title: "A task file belongs to no task",
    explanation:
      "The manifest decides which tasks there are. A file in tasks/ that none of them means is skipped; perhaps its task was forgotten, or renamed.",
  },
  {
    code: "spec-mismatch",
    severity: "error",
    title: "A task file contradicts the manifest",
    explanation:
      "Id and wave stand in both, and must be the same: otherwise one of the two is out of date, and nobody knows which. Where only the agent differs, that of the manifest is used.",
  },
  {
    code: "prompt-missing",
    severity: "error",
    title: "A task has no prompt",
    explanation:
      "Each task is done by an agent that gets the text of its prompt file: the one that prompt_file names, else prompts/<id>.txt or prompts/task-NNN.txt. It is missing, empty or outside of the folder.",
    example: '{ "id": "task-001-users", "agent": "plugin:agent", "prompt_file": "prompts/task-001.txt" }',
  },
  {
    code: "scope-missing",
    severity: "warning",
    title: "A task file does not say what its task may touch",
    explanation:
      "Below ## Scope stand CREATE:, MODIFY: and BOUNDARY:, each with paths and globs. Without them nobody can tell whether two tasks of a wave get into each other's way.",
    example:
      "## Scope\nCREATE: apps/users/{models,views}.py\nMODIFY: config/urls.py::urlpatterns\nBOUNDARY: apps/orders/*",
  },
  {
    code: "scope-entry",
    severity: "warning",
    title: "Something in a scope is no path",
    explanation:
      "What a scope names is compared with the files that a task changes, so words for people mean nothing there. They are ignored. A path with blanks in it stands between backticks.",
  },
  {
    code: "contract-missing",
    severity: "warning",
    title: "A contract does not exist",
    explanation:
      "Contracts are files that several tasks read and none may change. Their names are relative to the folder of the manifest.",
  },
  {
    code: "file-unread",
    severity: "warning",
    title: "A file of the folder is not read",
    explanation:
      "Agents are told what is in context.md, and load the skills of agent-skills-mapping.yaml. Such a file is there, but is no text, too large, or leads by a link out of the folder and its repository. What it says is left out.",
  },
  {
    code: "dependency-spec",
    severity: "error",
    title: "A dependency cannot be installed as it is written",
    explanation:
      "What a manifest wants installed becomes arguments of uv or a package manager. A text that would be an option, or that holds characters of the shell, is refused.",
    example: '"dependencies": { "python": { "add": ["pydantic==2.5.3"] } }',
  },
  {
    code: "dependency-unpinned",
    severity: "warning",
    title: "A dependency is not pinned to a version",
    explanation:
      "All agents of a run start from the same lock file, but the next run may install something else. Pins are name==1.2.3 for Python and name@1.2.3 for Node.",
  },
  {
    code: "program-missing",
    severity: "warning",
    title: "A program that the plan needs is missing",
    explanation:
      "Packages are installed by uv, npm, pnpm, yarn or bun before the first task. The program is not on the PATH of this shell, so a run would be refused; on another machine the plan may be fine.",
  },
  {
    code: "package-manager",
    severity: "warning",
    title: "It is not clear which program installs Node packages",
    explanation:
      "packageManager in package.json decides, else the lock file in the root of the repository, else npm.",
  },
] as const satisfies readonly CodeEntry[];
