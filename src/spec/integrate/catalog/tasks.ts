import { formatCommand, plait } from "../../../core/text/command.ts";
import { type FixPlace, formatFile, type IntegrationCatalog } from "./entry.ts";

const formatReason = (reason: string | null): string => (reason === null ? "" : `: ${reason}`);

type MissingFile = { readonly pattern: string; readonly deleted: string | null };

function formatMissingFile({ pattern, deleted }: MissingFile): string {
  if (deleted !== null) return `\`${deleted}\` was created, then deleted`;
  return /[*?[{]|\/$/.test(pattern)
    ? `no file matches \`${pattern}\`, which the task must create`
    : `\`${pattern}\` was not created`;
}

type LeftStub = { readonly stub: "unwritten" | "empty" | "comment"; readonly name: string };

function formatStub({ stub, name }: LeftStub): string {
  if (stub === "comment") return `comment left: \`${name.slice(0, 80)}\``;
  return `\`${name}\` ${stub === "empty" ? "has an empty body" : "is not implemented"}`;
}

/** `has`: the version or range in the file; null: the package is not in it. */
type PinnedPackage = {
  readonly pin: string;
  readonly version: string;
  readonly file: string;
  readonly has: string | null;
};

/** Tasks, the files they must leave, requirements. */
export const taskCatalog = {
  "task-not-merged": {
    ...{ area: "tasks", severity: "error" },
    title: "Task is not part of the result",
    explanation:
      "The checked tree does not contain the task's work: the task failed, is held, or never ran. `plait status` shows which.",
    message: ({ where, reason }: { readonly where: string; readonly reason: string | null }) =>
      `not merged into ${where}${formatReason(reason)}`,
    hint: `Finish the task and merge it: ${formatCommand(plait("resume"))}`,
  },
  "task-without-commits": {
    ...{ area: "tasks", severity: "error" },
    title: "No commits found for a task",
    explanation:
      "No journal of a run, commit trailer or branch names the task, so its changes are unknown. Run the task (`plait run`), or, if it was done by hand, add the line `Plait-Task: <task>` to the message of its commit. In a shallow clone the commits may be missing: `git fetch --unshallow`.",
    message: ({ isShallow }: { readonly isShallow: boolean }) =>
      `no run, commit trailer or branch names this task${isShallow ? "; this clone is shallow" : ""}`,
    hint: ({ about, isShallow }: FixPlace & { readonly isShallow: boolean }) =>
      isShallow
        ? "Fetch the whole history: git fetch --unshallow"
        : `Run the task, or add the trailer \`Plait-Task: ${about}\` to the commit that did its work`,
  },
  "task-empty": {
    ...{ area: "tasks", severity: "error" },
    title: "Task changed nothing",
    explanation:
      "The task counts as merged, but no file changed. Either there was nothing to do, and the task can be removed, or the agent did not do its work.",
    message: ({ isMerged }: { readonly isMerged: boolean }) =>
      isMerged ? "its commits change no files" : "its agent changed no files",
    hint: "Do the work of the task, or remove the task from the plan",
  },
  "scope-file-missing": {
    ...{ area: "completeness", severity: "error" },
    title: "Created file is missing",
    explanation:
      "The path is in the CREATE list of a merged task, but the checked tree has no such file, or no file that matches the glob. A file that was created and later deleted by another commit is reported too.",
    example: "- CREATE: app/routers/reservations.py",
    message: formatMissingFile,
    hint: ({ pattern, deleted }: MissingFile) =>
      deleted === null ? `Create \`${pattern}\`` : `Restore \`${deleted}\``,
  },
  "stub-left": {
    ...{ area: "completeness", severity: "error" },
    title: "Task left a stub",
    explanation:
      'A function that only raises NotImplementedError (or throws or panics with "not implemented"), or a TODO or FIXME comment, in lines that the task wrote. An unimplemented function in a file that the task created must be fixed. Other stubs must be fixed only if the task file forbids them, for example with `No stubs, no TODO` in its checklist. Abstract methods, protocols and base classes are not stubs.',
    example: "def confirm(self): raise NotImplementedError",
    message: formatStub,
    hint: ({ stub, name }: LeftStub) =>
      stub === "comment" ? "Resolve the comment, or remove it" : `Implement \`${name}\``,
  },
  "version-changed": {
    ...{ area: "completeness", severity: "error" },
    title: "Package differs from its pinned version",
    explanation:
      "`dependencies` in manifest.json pins the version (written by `plait spec align`), but the lock file or project file has another one. Restore the pinned version, or align again and run the tasks that depend on it.",
    example: "zod@3.24.1",
    message: ({ pin, file, has }: PinnedPackage) =>
      has === null
        ? `\`${pin}\` is pinned but not in ${file}`
        : `\`${pin}\` is pinned, but ${file} has \`${has}\``,
    hint: ({ about, pin, version, has }: PinnedPackage & FixPlace) =>
      has === null ? `Add \`${pin}\`` : `Set \`${about}\` back to \`${version}\``,
  },
  "requirement-unbuilt": {
    ...{ area: "requirements", severity: "error" },
    title: "Requirement without a task",
    explanation:
      "No task covers a requirement of the product requirements or the tech spec. The report lists each requirement with its tasks, their merged files and tests. Add a task, or list the requirement under out_of_scope in the manifest with a reason.",
    message: ({ text }: { readonly text: string }) =>
      `no task covers this requirement${text === "" ? "" : `: ${text}`}`,
    hint: ({ about }: FixPlace) => `Add a task that covers \`${about}\`, or list it under \`out_of_scope\``,
  },
  "requirement-unclear": {
    ...{ area: "requirements", severity: "note" },
    title: "Requirements could not be checked",
    explanation:
      "Tasks list the requirements they cover, but a document that the manifest names cannot be read. Fix the path under metadata in manifest.json, or restore the file.",
    message: ({ problem }: { readonly problem: string }) =>
      `the document ${problem}, so requirements were not checked`,
    hint: "Fix the path under `metadata` in `manifest.json`, or restore the file",
  },
  "contract-unreadable": {
    ...{ area: "types", severity: "error" },
    title: "Contract cannot be read",
    explanation:
      "The contract has errors, so nothing was compared with it. `plait validate` on the artifact folder shows each error.",
    message: ({ problem }: { readonly problem: string }) => `not compared: ${problem}`,
    hint: (place: FixPlace) => `Fix ${formatFile(place)}: ${formatCommand(plait("validate"))}`,
  },
  "contract-absent": {
    ...{ area: "types", severity: "note" },
    title: "Contract is missing",
    explanation:
      "Types are compared with contracts/types.py or contracts/types.ts, endpoints with contracts/api-schema.yaml. Without the file nothing is compared.",
    message: (params: AbsentContract) =>
      "folder" in params
        ? `no contracts in ${params.folder}, so nothing was compared`
        : `\`${params.path}\` ${params.problem}, but ${params.tasks.map((task) => `\`${task}\``).join(", ")} ${params.tasks.length === 1 ? "names" : "name"} it`,
    hint: "Write the contract, or remove it from the tasks that name it",
  },
} as const satisfies IntegrationCatalog;

type AbsentContract =
  | { readonly folder: string }
  | { readonly path: string; readonly problem: string; readonly tasks: readonly string[] };
