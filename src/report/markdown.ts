import { formatPullRequest } from "../core/select/landing-text.ts";
import { exitMeanings } from "../core/select/run-status-text.ts";
import { costWords, formatSpeedUp, isNothing } from "../core/select/totals.ts";
import { formatWait } from "../core/select/waits.ts";
import { capital, count, dollars, elapsed, listed, shortOid, shortRef } from "../core/text/figures.ts";
import { type FormatTime, plainText } from "../core/text/sentence.ts";
import { code, codeCell, inline } from "../util/markdown-text.ts";
import { taskSection } from "./markdown-task.ts";
import type { GateFigures, GateVerdict, Need, RunReport, TaskReport } from "./model.ts";
import { diffText, momentText, TASKS_HEAD, taskCells, verdictText } from "./report-text.ts";

/** Tasks are told in full up to here, those that need a person first; the table has all of them. */
const MOST_CHARS = 1_500_000;

/** The report to read: what needs a person first, then every task, then the run as a whole. */
export function markdownReport(report: RunReport): string {
  const tasks = taskSections(report);
  const lines = [
    `# Run ${code(report.run)}`,
    "",
    `**${inline(capital(plainText(report.text)))}.**`,
    "",
    ...overview(report),
    ...needs(report),
    ...waitSection(report),
    ...taskTable(report),
    ...tasks,
    ...gateSection(report),
    ...costSection(report),
    ...timeline(report),
    ...savedSection(report),
    ...(report.leftOut.length === 0 ? [] : ["## Left out", "", ...report.leftOut.map(bullet), ""]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const bullet = (text: string): string => `- ${inline(text)}`;

function overview(report: RunReport): string[] {
  const { plan, base, target, workFolder, startedAt, endedAt, at, hasEnded, isRunning, saved } = report;
  const until = hasEnded
    ? momentText(endedAt ?? at)
    : `${isRunning ? "still running" : "interrupted; last active"} at ${momentText(at)}`;
  const rows: [string, string | null][] = [
    ["plan", `${inline(plan.name)}, ${codeCell(plan.path)}, ${count(plan.tasks, "task")}`],
    workFolder === null
      ? [
          "base",
          `${code(shortOid(base.commit))}${target === null ? "" : ` of ${codeCell(shortRef(target))}`}`,
        ]
      : ["worked in", `${codeCell(workFolder)}, not in a git repository`],
    ["result", landingText(report)],
    ...report.pullRequests.map((pull): [string, string] => ["pull request", inline(formatPullRequest(pull))]),
    ["changed", report.landed === null ? null : diffText(report.landed)],
    ["time", timeText(report)],
    ["from, to", `${momentText(startedAt)}, ${until} (UTC)`],
    ["cost", costText(report)],
    ["exit code", exitText(report)],
    ["folder", codeCell(saved.folder)],
  ];
  return [
    "| | |",
    "|---|---|",
    ...rows.flatMap(([name, text]) => (text === null ? [] : [`| ${name} | ${text} |`])),
    "",
  ];
}

function landingText({ status, landing, landings, saved, exit, hasEnded }: RunReport): string {
  const last = landing.kind === "landed" ? landing : landings.at(-1);
  const where =
    last &&
    `on ${codeCell(shortRef(last.target))}, from ${code(shortOid(last.from))} to ${code(shortOid(last.to.commit))}`;
  if (landing.kind === "landed")
    return `${status.kind === "partly-landed" ? "partly landed" : "landed"} ${where}`;
  if (where !== undefined) {
    const undone = landing.kind === "undone" ? "; a later landing was undone" : "";
    return `partly landed ${where}${undone}; all merged work is on ${codeCell(saved.integration ?? "")}`;
  }
  const back = landing.kind === "undone" ? `undone on ${codeCell(shortRef(landing.target))}; ` : "";
  if (saved.integration === null) return hasEnded ? "nothing was merged" : "nothing is merged yet";
  return `${back}${exit === 0 ? "all work" : "merged work"} is on ${codeCell(saved.integration)}`;
}

/** Time between a stop and a resume, and of a machine that slept, is not counted: it is named for whoever compares with from and to. */
function timeText({ times, startedAt, endedAt, at }: RunReport): string {
  const { wallMs } = times;
  const speedUp = formatSpeedUp(times);
  const apart = (endedAt ?? at) - startedAt - wallMs;
  return [
    elapsed(wallMs),
    ...(apart < 1_000 ? [] : [`plus ${elapsed(apart)} not running`]),
    ...(speedUp === null ? [] : [speedUp]),
  ].join(", ");
}

function costText({ cost }: RunReport): string | null {
  const { budgetUsd, lostUsd } = cost;
  return costWords(cost, budgetUsd, isNothing(lostUsd) ? "" : `, ${dollars(lostUsd)} of it not merged`);
}

function exitText({ exit }: RunReport): string {
  if (exit === null) return "none yet";
  return `${exit}: ${exitMeanings[exit]}`;
}

function needs({ needsYou, remarks }: RunReport): string[] {
  const remarked = remarks.length === 0 ? [] : ["Notes:", "", ...remarks.map(bullet), ""];
  if (needsYou.length === 0) return ["## Needs you", "", "Nothing.", "", ...remarked];
  return ["## Needs you", "", ...needsYou.flatMap(needLines), "", ...remarked];
}

function needLines({ text, details, steps }: Need, n: number): string[] {
  const number = `${n + 1}. `;
  const indent = " ".repeat(number.length);
  return [
    `${number}${inline(text)}`,
    ...details.map((detail) => `${indent}- ${inline(detail)}`),
    ...steps.map(({ command, purpose }) => `${indent}- ${code(command)}: ${inline(purpose)}`),
  ];
}

function waitSection({ waits }: RunReport): string[] {
  if (waits.length === 0) return [];
  const formatTime: FormatTime = (when, lead) => `${lead ?? "at"} ${momentText(when)} (UTC)`;
  const lines = waits.map((wait) => {
    const tasks = wait.tasks.length === 0 ? "" : ` (${wait.tasks.map(code).join(", ")})`;
    return `- ${inline(plainText(formatWait(wait), formatTime))}${tasks}`;
  });
  return ["## Waits", "", ...lines, ""];
}

function taskTable({ tasks }: RunReport): string[] {
  const rows = tasks.map((task) => {
    const why = task.commit === null ? inline(task.note ?? "") : code(shortOid(task.commit));
    return taskCells(task, codeCell(task.task), why);
  });
  return [...TASKS_HEAD, ...rows, ""];
}

function taskSections({ tasks, saved }: RunReport): string[] {
  const begun = tasks.filter(({ attempts, needsYou }) => attempts.length > 0 || needsYou);
  if (begun.length === 0) return [];
  const inOrder = [...begun].sort((a, b) => Number(b.needsYou) - Number(a.needsYou));
  const lines: string[] = ["## Each task", ""];
  let left = MOST_CHARS;
  let told = 0;
  for (const task of inOrder) {
    const section = taskSection(task, saved.folder);
    left -= section.reduce((sum, line) => sum + line.length + 1, 0);
    if (left < 0) break;
    lines.push(...section);
    told += 1;
  }
  const rest = inOrder.length - told;
  return rest === 0
    ? lines
    : [...lines, `${count(rest, "more task")} of the table above: \`report.json\` has them.`, ""];
}

function gateSection({ gates, baseGates, landingGates }: RunReport): string[] {
  if (gates.length === 0) return [];
  const flaky = gates.filter((gate) => gate.flaky > 0);
  return [
    "## Gates",
    "",
    "| gate | green | red | flaky | unaffected | known red | time | longest |",
    "|---|---|---|---|---|---|---|---|",
    ...gates.map(gateRow),
    "",
    ...(flaky.length === 0
      ? []
      : [`Flaky (green on a retry): ${listed(flaky.map(({ name }) => code(name)))}.`, ""]),
    ...verdictLines("On the base commit:", baseGates),
    ...verdictLines("On the tree to land:", landingGates),
  ];
}

function verdictLines(head: string, gates: readonly GateVerdict[]): string[] {
  if (gates.length === 0) return [];
  return [head, "", ...gates.map((gate) => `- ${code(gate.name)}: ${inline(verdictText(gate))}`), ""];
}

function gateRow({ name, green, red, flaky, unaffected, knownRed, totalMs, longestMs }: GateFigures): string {
  const figures = [green, red, flaky, unaffected, knownRed].map((n) => (n === 0 ? "" : String(n)));
  return `| ${[codeCell(name), ...figures, elapsed(totalMs), elapsed(longestMs)].join(" | ")} |`;
}

const MOST_DEAREST = 20;

function costSection({ cost: { byTask, byAgent, totalUsd, silent }, tasks }: RunReport): string[] {
  if (totalUsd === 0) return [];
  const dearest = [...byTask].sort((a, b) => b.usd - a.usd).slice(0, MOST_DEAREST);
  const agents = byAgent.map(({ agent, usd }) => `${inline(agent)} ${dollars(usd)}`);
  const lost = (usd: number) => (usd > 0 ? dollars(usd) : "");
  return [
    "## Cost",
    "",
    ...(agents.length === 0 ? [] : [`By agent: ${agents.join(", ")}.`, ""]),
    ...(silent.length === 0 ? [] : [`${listed(silent.map(inline))} did not report all of its costs.`, ""]),
    "| task | cost | not merged | tokens in, out |",
    "|---|---|---|---|",
    ...dearest.map(
      ({ task, usd, lostUsd }) =>
        `| ${codeCell(task)} | ${dollars(usd)} | ${lost(lostUsd)} | ${tokensOf(tasks, task)} |`,
    ),
    ...(byTask.length > dearest.length
      ? ["", `And ${count(byTask.length - dearest.length, "task")} that cost less.`]
      : []),
    "",
  ];
}

function tokensOf(tasks: readonly TaskReport[], id: string): string {
  const usage = tasks.find(({ task }) => task === id)?.usage;
  const figures = [usage?.inputTokens ?? null, usage?.outputTokens ?? null];
  return figures.every((n) => n === null)
    ? ""
    : figures.map((n) => (n === null ? "-" : String(n))).join(", ");
}

function timeline({ timeline: moments, run }: RunReport): string[] {
  if (moments.length === 0) return [];
  const line = (at: number, task: string | null, text: string) =>
    `- ${momentText(at).slice(11)} ${code(task ?? run)} ${inline(text)}`;
  return ["## Timeline", "", ...moments.map(({ at, task, text }) => line(at, task, text)), ""];
}

function savedSection({ saved, run }: RunReport): string[] {
  const { folder, integration, refs, unchanged, worktrees, steps } = saved;
  return [
    "## Left behind",
    "",
    `- the run folder with journal, logs and this report: ${code(folder)}`,
    ...(integration === null ? [] : [`- the branch ${code(integration)} with the merged work`]),
    ...refLines(refs),
    ...(unchanged === 0
      ? []
      : [`- ${count(unchanged, "attempt")} without changes: ${code(`refs/plait/${run}/`)}`]),
    ...worktrees.map((path) => `- a worktree: ${code(path)}`),
    "",
    ...steps.map(({ command, purpose }) => `- ${code(command)}: ${inline(purpose)}`),
    "",
  ];
}

function refLines(refs: RunReport["saved"]["refs"]): string[] {
  const tasks = [...new Set(refs.map(({ task }) => task))];
  return tasks.map((task) => {
    const own = refs.filter((one) => one.task === task).map(({ ref }) => code(ref));
    return `- work of ${code(task)}: ${own.join(", ")}`;
  });
}
