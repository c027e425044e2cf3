import { relative } from "node:path";
import type { Diffstat } from "../core/landing-types.ts";
import { formatAttemptNumber } from "../core/select/attempt-number.ts";
import { countTokens } from "../core/select/forecast.ts";
import { dollars, elapsed, shortOid, tokenCount } from "../core/text/figures.ts";
import { code, inline, printed, quoted } from "../util/markdown-text.ts";
import { MOST_FILES } from "./caps.ts";
import type { AttemptReport, TaskReport } from "./model.ts";
import { diffText, keptText, PLACES, verdictText } from "./report-text.ts";

/** One task in full. Paths of the run folder are told relative to it. */
export function taskSection(task: TaskReport, folder: string): string[] {
  return [
    `### ${code(task.task)}${task.title === task.task ? "" : `: ${inline(task.title)}`}`,
    "",
    ...facts(task).map((line) => `- ${line}`),
    ...attemptLines(task, folder),
    ...reportLines(task, folder),
    ...summaryLines(task),
    ...messageLines(task),
    ...outputLines(task),
    ...(task.diff === null ? [] : diffLines(task.diff)),
    ...filesLines(task, folder),
    "",
  ];
}

function facts({ status, note, agent, command, commit, times, usage }: TaskReport): string[] {
  const who = agent === null ? `command ${code(command ?? "")}` : agentText(agent);
  const outcome = [
    `**${status}**`,
    commit === null ? null : `as ${code(shortOid(commit))}`,
    note === null ? null : inline(note),
  ];
  const spans = [
    ["agent", times.agentMs],
    ["gates", times.gatesMs],
    ["waiting", times.waitMs],
  ] as const;
  const took = spans.filter(([, ms]) => ms >= 1_000).map(([what, ms]) => `${what} ${elapsed(ms)}`);
  const tokens = countTokens(usage);
  const spent = [
    usage.costUsd === null ? null : dollars(usage.costUsd),
    tokens === 0 ? null : `${tokenCount(tokens)} tokens`,
  ].filter((part) => part !== null);
  return [
    `${outcome.filter((part) => part !== null).join(", ")}; ${who}`,
    ...(took.length === 0 ? [] : [`time: ${took.join(", ")}`]),
    ...(spent.length === 0 ? [] : [`cost: ${spent.join(", ")}`]),
  ];
}

function agentText({ use, name, model }: NonNullable<TaskReport["agent"]>): string {
  return [use, name, model].flatMap((part) => (part === null ? [] : [inline(part)])).join(" ");
}

/** One try without a word to say needs no list of attempts. */
function attemptLines({ attempts }: TaskReport, folder: string): string[] {
  return attempts.flatMap((attempt) => {
    const lines = detailLines(attempt, folder);
    if (attempts.length === 1 && attempt.failure === null && attempt.author === "agent")
      return lines.map((line) => `- ${line}`);
    return [`- ${attemptHead(attempt)}`, ...lines.map((line) => `  - ${line}`)];
  });
}

function attemptHead(attempt: AttemptReport): string {
  const { n, continues, author, endedAt, agentMs, failure } = attempt;
  const how = endedAt === null ? "running" : failure === null ? "green" : inline(failure.text);
  const from = continues === null ? "" : `, continues #${continues}`;
  if (author === "person") return `attempt #${n}, by a person${from}: ${how}`;
  return `attempt ${formatAttemptNumber(attempt)}${from}, ${elapsed(agentMs)}: ${how}`;
}

function detailLines(attempt: AttemptReport, folder: string): string[] {
  const { gates, findings, denials, ignored, worktree, ref, failure, artifacts } = attempt;
  return [
    ...gates.map((gate) => `gate ${code(gate.name)} ${PLACES[gate.on]}: ${inline(verdictText(gate))}`),
    ...findings.map(({ kind, path, detail, blocks }) => {
      return `finding (${kind}${blocks ? ", not merged" : ""}): ${code(path)} ${inline(detail)}`;
    }),
    ...(denials.length === 0 ? [] : [`denied to the agent: ${denials.map(code).join(", ")}`]),
    ...(failure === null || ref === null ? [] : [`saved on ${code(ref)}`]),
    ...(ignored === 0 ? [] : [`${ignored} ignored ${ignored === 1 ? "file was" : "files were"} not saved`]),
    ...(worktree === null ? [] : [`its worktree was kept: ${code(worktree)}`]),
    ...artifacts.map((kept) => {
      const from = kept.place === "gate" ? "from the tree of the red gate" : "from its worktree";
      return `artifacts ${from}, in ${code(relative(folder, kept.folder))}: ${inline(keptText(kept))}`;
    }),
  ];
}

function reportLines({ reports }: TaskReport, folder: string): string[] {
  if (reports === null) return [];
  const { files, count } = reports;
  const rest = count - files.length;
  return [
    `- report files, in ${code(relative(folder, reports.folder))}: ${inline(keptText(reports))}`,
    ...files.map((path) => `  - ${code(path)}`),
    ...(rest > 0 ? [`  - and ${rest} more`] : []),
  ];
}

/** Where the message does not begin with it. */
function summaryLines({ summary, message: last }: TaskReport): string[] {
  if (summary === null || last?.replace(/\s+/g, " ").startsWith(summary)) return [];
  return ["", `Summary: ${inline(summary)}`];
}

function messageLines({ message, agent }: TaskReport): string[] {
  return message === null
    ? []
    : ["", agent === null ? "Last output:" : "Final message of the agent:", "", ...quoted(message)];
}

function outputLines({ output, message }: TaskReport): string[] {
  return output === null || output.trim() === message?.trim()
    ? []
    : ["", "Last output:", "", ...printed(output)];
}

function diffLines(diff: Diffstat): string[] {
  if (diff.files === 0) return [];
  const shown = diff.changes.slice(0, MOST_FILES);
  const rest = diff.files - shown.length;
  const counts = (added: number | null, removed: number | null) =>
    added === null || removed === null ? "binary" : `+${added} -${removed}`;
  return [
    "",
    `Changed: ${diffText(diff)}`,
    "",
    ...shown.map(({ path, added, removed }) => `- ${code(path)} ${counts(added, removed)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

/** Of the last attempt that has them: a person leaves none, and a command has no prompt. */
function filesLines({ attempts, command }: TaskReport, folder: string): string[] {
  const files = attempts.findLast(({ author }) => author === "agent")?.files;
  if (files === undefined) return [];
  const shown = (paths: readonly string[]) => paths.map((path) => code(relative(folder, path))).join(", ");
  return command === null
    ? ["", `Log, transcript and prompt: ${shown([files.log, files.transcript, files.prompt])}`]
    : ["", `Log and transcript: ${shown([files.log, files.transcript])}`];
}
