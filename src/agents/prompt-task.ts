import { GUARDS, type Guard } from "../core/ownership/guarded.ts";
import { type Claim, claimText } from "../core/ownership/pattern.ts";
import { type Command, type Gate, gateKey, type Task } from "../core/plan.ts";
import type { LaterCheck, PromptInput, PromptTask } from "./prompt.ts";
import { code, listOf } from "./text.ts";

/** The kinds of protected files, as an agent reads them. */
export const PROTECTED: { readonly [G in Guard]: string } = {
  ci: "CI configuration",
  hooks: "git hooks",
  lockfiles: "lockfiles",
  "agent-settings": "settings of coding agents",
  "gate-scripts": "scripts that the checks run",
};

export function formatLimits(input: Pick<PromptInput, "task" | "isAlone" | "planned">): string {
  const { task } = input;
  const rules = task.access === "read-only" ? formatReadOnly(task) : formatWritable(input);
  return `## What you may change\n\n${[...rules, ...formatStart(task)].join("\n\n")}`;
}

function formatWritable({ task, isAlone, planned }: Parameters<typeof formatLimits>[0]): string[] {
  const { owns, boundary, consent = [] } = task;
  const isLimited = owns.length > 0;
  const kinds = GUARDS.filter((guard) => consent.includes(guard)).map((guard) => PROTECTED[guard]);
  return [
    isLimited
      ? `Change only these paths:\n\n${listOf(owns.map(formatClaim))}`
      : "Any file that the task needs, except protected files.",
    ...(isLimited && !isAlone ? [OTHER_FILES] : []),
    ...(isLimited ? formatDoneSign(task) : []),
    ...(boundary.length === 0 ? [] : [`${formatBoundary(planned)}:\n\n${listOf(boundary.map(code))}`]),
    ...(kinds.length === 0 ? [] : [`Of the protected files, you may change: ${kinds.join(", ")}.`]),
  ];
}

/** Below the paths: in front of them, "the rest" would read as what is listed. */
const OTHER_FILES = "Other agents may be changing the other files at the same time: leave those files alone.";

function formatDoneSign({ dir, doneFile }: PromptTask): string[] {
  if (doneFile === null) return [];
  const path = code(dir === null ? doneFile : `${dir}/${doneFile}`);
  return [`You may also create ${path}, the sign that your task is done. plait never merges it.`];
}

/** A plan may have a section for these paths that is empty or lists only some of them. */
const formatBoundary = (planned: string): string =>
  planned.includes("=== DO NOT MODIFY ===")
    ? "Do not change these paths, whether or not DO NOT MODIFY lists them"
    : "Do not change these paths";

function formatClaim({ mode, pattern, symbol, ...claim }: Claim): string {
  if (symbol === null) return `${code(claimText({ mode, pattern, symbol, ...claim }))}${MODES[mode]}`;
  return `${code(symbol)} in ${code(pattern)}${SYMBOL_MODES[mode]}; leave the rest of that file unchanged`;
}

const MODES = {
  any: "",
  create: " (a new file, yours to create)",
  modify: " (it exists: edit it in place)",
  shared: " (shared with other agents: add your lines, do not reorder or reformat the others)",
};

const SYMBOL_MODES = {
  any: "",
  create: " (add it)",
  modify: " (edit it in place, or add it if it is missing)",
  shared: " (shared with other agents: add your lines, do not reorder the others)",
};

/** Some agent programs refuse to write below folders of their own, whatever plait allows. */
function formatReadOnly({ reports }: PromptTask): string[] {
  if (reports.length === 0)
    return ["Nothing. This task is read-only: do not change files; changes are discarded."];
  return [
    `Only your report files. This task is read-only: all other changes are discarded.\n\n${listOf(reports.map(code))}`,
    "If writing one of them is refused, do not look for a way around it: put its content in your final message.",
  ];
}

function formatStart({ dir }: PromptTask): string[] {
  return dir === null
    ? []
    : [`You start in ${code(dir)}. Paths in this section are relative to the root of the repository.`];
}

/** The gates of the task that the shared part does not list, and those it lists that do not run for this one. */
export function formatChecks(
  { access, gates }: PromptTask,
  { sharedGates: shared, laterChecks }: Pick<PromptInput, "sharedGates" | "laterChecks">,
): string[] {
  const keys = new Set(shared.map(gateKey));
  const own = gates.filter((gate) => !keys.has(gateKey(gate)));
  const runs = new Set(gates.map(gateKey));
  const left = access === "write" ? shared.filter((gate) => !runs.has(gateKey(gate))) : [];
  if (own.length + left.length + laterChecks.length === 0) return [];
  const isFirst = left.length === shared.length;
  const more = isFirst ? "" : ", in addition to the checks listed above";
  const parts = [
    ...(own.length === 0
      ? []
      : [
          `plait runs these commands on your work${more}. Each must exit with code 0. Run them yourself before you finish:\n\n${formatGates(own)}\n\nWhen one fails, fix the cause. Do not weaken, skip or change it.`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `Of the checks listed above, these do not run for your task: ${left.map(({ name }) => code(name)).join(", ")}.`,
        ]),
    ...laterChecks.map(formatLaterCheck),
  ];
  return [`## How your work is checked\n\n${parts.join("\n\n")}`];
}

/** It judges merged work, which an agent has only a part of. */
function formatLaterCheck({ task, run, dir, isJoint }: LaterCheck): string {
  const command = formatCommand(run);
  const where = dir === null ? "" : ` in ${code(dir)}`;
  const on = `on the merged work of your task${isJoint ? " and others" : ""}`;
  const runs = command.includes("\n")
    ? `Later, ${code(task)} runs this command${where} ${on}:\n\n${command}\n\nIt`
    : `Later, ${code(task)} runs ${command}${where} ${on}. It`;
  const rest = isJoint ? " The work of the others may be missing in your worktree." : "";
  return `${runs} must exit with code 0. Run the command yourself before you finish, and fix what fails because of your work.${rest}`;
}

export function formatGates(gates: readonly Gate[]): string {
  return listOf(gates.map(formatGate));
}

function formatGate({ name, run, dir, when, knownRed }: Gate): string {
  const command = formatCommand(run);
  const notes = [
    ...(dir === null ? [] : [`in ${code(dir)}`]),
    ...(when.length === 0 ? [] : [`only when a file matching ${when.map(code).join(", ")} changed`]),
    ...(knownRed ? ["already fails without your changes: only new failures count"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  if (command.includes("\n")) return `${name}${note}:\n\n${command}`;
  return name === plainCommand(run) ? `${command}${note}` : `${name}: ${command}${note}`;
}

/** As it can be typed. A script of several lines, or one with backquotes, gets a block of its own. */
export function formatCommand(run: Command): string {
  const text = plainCommand(run);
  if (!/[`\n]/.test(text)) return `\`${text}\``;
  const lines = ["```sh", ...text.split("\n"), "```"];
  return lines.map((line) => `  ${line}`.trimEnd()).join("\n");
}

function plainCommand(run: Command): string {
  if (run.kind === "shell") return run.line.trim();
  return run.argv
    .map((arg) => (/^[\w./:=@,+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** How a plan may ask for a result in one of the forms that agents/verdict.ts reads. */
const RESULT_FORMS = [
  /["'`](?:task_completed|validation_passed)["'`]/,
  /["'`]status["'`]\s*:\s*["'`]?(?:SUCCESS|FAILED)/,
  /^\W*Status:\W*(?:DONE|DONE_WITH_CONCERNS|BLOCKED|NEEDS_CONTEXT)\b/m,
];

/** Exactly one way to end, and what to do when the task cannot be done. The form that the plan asks for replaces plait's own. */
export function formatEnding(task: PromptTask, planned: string): string {
  const lines = [
    ...formatDoneFile(task, planned),
    ...(RESULT_FORMS.some((form) => form.test(planned))
      ? [formatPlannedEnding(planned)]
      : formatStatus(task)),
  ];
  return `## How to end\n\n${lines.join("\n\n")}`;
}

function formatStatus({ access, reports, allowEmpty }: PromptTask): string[] {
  const done =
    access === "read-only"
      ? formatReportEnding(reports)
      : "When the task is done, end your final message with the line `Status: DONE` and, on the next line, `Summary:` followed by one to three sentences that say what you changed and why. They go into the commit message, and to the tasks that build on yours.";
  return [
    done,
    ...(access === "read-only" ? [] : [allowEmpty ? MAY_BE_EMPTY : MUST_CHANGE]),
    "If you cannot complete the task, because something is missing, contradictory or not allowed, stop there and end your final message with the line `Status: BLOCKED` and, on the next line, `Blocker:` followed by the reason and what would unblock you.",
  ];
}

const MAY_BE_EMPTY = "If nothing needs to be changed, change nothing and say so in the summary.";
const MUST_CHANGE = "A task that ends without any change counts as failed.";

function formatReportEnding(reports: Task["reports"]): string {
  return reports.length === 0
    ? "Put your complete report in your final message: nothing else is kept."
    : "Your final message is part of the report: put your conclusions there. Only it and your report files are kept.";
}

/** The plan's own form, by the heading that it is under, where it has one. */
function formatPlannedEnding(planned: string): string {
  if (/^# Result$/m.test(planned))
    return 'End as described under "Result", also if you cannot complete the task.';
  return `End your final message with the result in the form that your task describes, and nothing after it. If you cannot complete the task, report failure and the reason in that same form.`;
}

function formatDoneFile({ doneFile, access }: PromptTask, planned: string): string[] {
  if (doneFile === null || access === "read-only" || planned.includes(doneFile)) return [];
  return [
    `When the task is done, and only then, create the file ${code(doneFile)} in the folder you started in. Without it the task counts as failed. Do not commit it.`,
  ];
}
