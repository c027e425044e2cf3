import type { Catalog } from "../../core/catalog.ts";
import { listQuoted, quoted } from "../../core/text/figures.ts";

type Task = { readonly task: string };

export const poCatalog = {
  "managed-key": {
    severity: "error",
    title: "A task sets a managed key",
    explanation:
      "In a parallel-orchestra manifest tasks cannot set a folder, time limits or retry delays. `cwd` at the top applies to all tasks, --timeout sets the time limit, and plait chooses the delay before a retry.",
    message: ({ key }: { readonly key: string }) => `a task cannot set \`${key}\``,
    hint: ({ key, instead }: { readonly key: string; readonly instead: string }) =>
      `delete \`${key}\`; ${instead}`,
  },
  "coerced-value": {
    severity: "warning",
    title: "Value converted to a number",
    explanation: 'parallel-orchestra reads 2.9 as 2, "2" as 2, and true as 1. plait does the same and warns.',
    example: "max_retries: 2",
    message: ({ key, source, number }: { key: string; source: string; number: number }) =>
      `\`${key}\` is ${source}; plait reads it as ${number}`,
    hint: ({ key, number }: { readonly key: string; readonly number: number }) => `set \`${key}: ${number}\``,
  },
  "folder-missing": {
    severity: "error",
    title: "The plan's folder does not exist",
    explanation: "`cwd` of a manifest is the path from the manifest's folder to the project.",
    example: "cwd: ../..",
    message: ({ cwd, folder }: { readonly cwd: string; readonly folder: string }) =>
      `\`cwd\` is ${quoted(cwd)}, but the folder ${quoted(folder)} does not exist`,
    hint: "set `cwd` to the project's path, relative to the manifest: `cwd: ../..`",
  },
  "path-base": {
    severity: "warning",
    title: "Path differs from parallel-orchestra",
    explanation:
      "Paths in `writes` are relative to `cwd`, as parallel-orchestra documents; its program took them relative to the manifest's folder. The message shows both.",
    message: ({ path, now, before }: { path: string; now: string; before: string }) =>
      `the path ${quoted(path)} means ${quoted(now)} here; parallel-orchestra used ${quoted(before)}`,
    hint: "make paths in `writes` relative to `cwd`",
    related: ({ path }: { readonly path: string }) => `${quoted(path)} is relative to cwd too`,
  },
  "cwd-elsewhere": {
    severity: "warning",
    title: "`cwd` is outside the repository",
    explanation:
      "Like parallel-orchestra, plait works in the repository it is started in: tasks start at its root, and `writes` and agents are read from there. To work in another repository, start plait there.",
    message: ({ outside, base }: { readonly outside: string; readonly base: string }) =>
      `\`cwd\` is ${quoted(outside)}, outside this repository; tasks run in ${quoted(base)}`,
    hint: "run plait in the repository that `cwd` names, or set another: --cwd <folder>",
  },
  "report-twice": {
    severity: "error",
    title: "Two tasks write the same report",
    explanation:
      "`writes` of a read-only parallel-orchestra task lists its reports. No other task may write that file, because one of the two would be lost.",
    example: "- id: review\n  agent: reviewer\n  read_only: true\n  writes: [reports/review.md]",
    message: ({ tasks, path }: { readonly tasks: readonly string[]; readonly path: string }) =>
      `${listQuoted(tasks, "tasks")} write to the same report file ${quoted(path)}`,
    hint: "give each task its own file: `writes: [reports/review.md]`",
    related: ({ task }: Task) => `${quoted(task)} writes the file here`,
  },
  "report-outside": {
    severity: "warning",
    title: "A report is outside the repository",
    explanation:
      "`writes` of a read-only task lists its reports, which plait copies into your checkout. If a path is outside the repository, or is the whole folder, the agent's last message is the report.",
    message: ({ task, path, isInside }: Task & { readonly path: string; readonly isInside: boolean }) =>
      `${quoted(task)} writes its report to ${quoted(path)}, which is ${isInside ? "the whole" : "outside the"} repository`,
    hint: "use the path of a file, relative to `cwd`: `writes: [reports/review.md]`",
  },
  "agents-elsewhere": {
    severity: "warning",
    title: "An agent is defined in two places",
    explanation:
      "Tasks that write start at the worktree root, with a copy of the .claude folder from `cwd`. The copy is never committed and does not replace files tracked at the root. If an agent is defined in both places, the one at the root is used.",
    message: ({ agent, folder }: { readonly agent: string; readonly folder: string }) =>
      `the agent ${quoted(agent)} is in ${quoted(folder)} and in \`.claude\`; a tracked file in \`.claude\` is used`,
    hint: ({ agent }: { readonly agent: string }) => `delete or rename one ${quoted(agent)}`,
  },
} as const satisfies Catalog;
