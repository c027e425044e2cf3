import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings about what lies in an artefact folder beside manifest, task files and contracts. A run takes no notice of these. */
export const folderCodes = [
  {
    code: "folder-incomplete",
    severity: "warning",
    title: "Something is missing in the artefact folder",
    explanation:
      "A whole folder has context.md, which every agent is told, contracts that tasks agree on, and architecture.md and task-graph.md for people. A run works without them, but agents that know less of each other build what does not fit.",
  },
  {
    code: "contract-unchecked",
    severity: "warning",
    title: "Some contracts are not checked",
    explanation:
      "Below contracts/ links to folders are not followed, since they may lead to a whole disk, and of very many files only the first ones are checked. Agents are still told of the contracts that their tasks name.",
  },
  {
    code: "graph-stale",
    severity: "warning",
    title: "The task graph is not that of the manifest",
    explanation:
      "task-graph.md draws the tasks for people. It shows a task that the manifest does not have, or does not show one that it has: one of the two was changed without the other. `plait spec graph` redraws it from the manifest and the task files.",
  },
  {
    code: "coverage-stale",
    severity: "warning",
    title: "The coverage table is out of date",
    explanation:
      "coverage.md lists for each requirement its tasks, their files and their tests. Task files, the manifest or the documents changed since it was written. plait spec coverage writes it again; a requirement that has no task by now is a finding of its own.",
  },
  {
    code: "metadata-stale",
    severity: "warning",
    title: "The metadata of a manifest does not fit its tasks",
    explanation:
      "total_tasks is how many tasks the waves have together, and critical_path names some of them. plait does not use them; other readers of the manifest are misled.",
  },
  {
    code: "technology-unknown",
    severity: "warning",
    title: "The technology of a manifest is unknown",
    explanation:
      "The technology decides which checks plait integrate runs and which contracts it reads: python, django, typescript or go. Another value has no effect: the files of the project decide then.",
    example: '"technology": "typescript"',
  },
  {
    code: "tech-spec-missing",
    severity: "warning",
    title: "The tech spec of a manifest is missing",
    explanation:
      "metadata.tech_spec names the file that the folder was made of, from the root of the repository. It does not exist: it was moved, renamed or never committed. A run does not need it; reviewing the code by the tech spec does.",
  },
  {
    code: "prompt-unused",
    severity: "warning",
    title: "A prompt belongs to no task",
    explanation:
      "A file in prompts/ that no task of the manifest gets. Perhaps its task was deleted or renamed, and the task now gets another prompt than you think.",
  },
] as const satisfies readonly CodeEntry[];

export type FolderCode = (typeof folderCodes)[number]["code"];
