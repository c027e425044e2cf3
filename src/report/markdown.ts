import { costWords } from "../core/select/cost-words.ts";
import { count, factor } from "../core/select/preview/words.ts";
import { dollars, elapsed, listed, shortOid, shortRef } from "../core/select/run-words.ts";
import { capital } from "../core/select/sentences.ts";
import { stateWord } from "../core/select/state-words.ts";
import { code, codeCell, inline } from "../util/markdown-text.ts";
import { taskSection } from "./markdown-task.ts";
import type { GateFigures, GateVerdict, Need, RunReport, TaskReport } from "./model.ts";
import { diffText, momentText, verdictText } from "./report-words.ts";

/** Tasks are told in full up to here, those that need a person first; the table has all of them. */
const MOST_CHARS = 1_500_000;

/** The report to read: what needs a person first, then every task, then the run as a whole. */
export function markdownReport(report: RunReport): string {
  const tasks = taskSections(report);
  const lines = [
    `# Run ${code(report.run)}`,
    "",
    `**${inline(capital(report.says))}.**`,
    "",
    ...overview(report),
    ...needs(report),
    ...taskTable(report),
    ...tasks,
    ...gateSection(report),
    ...costSection(report),
    ...timeline(report),
    ...staysSection(report),
    ...(report.leftOut.length === 0 ? [] : ["## What is left out", "", ...report.leftOut.map(bullet), ""]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const bullet = (text: string): string => `- ${inline(text)}`;

function overview(report: RunReport): string[] {
  const { plan, base, target, workFolder, startedAt, endedAt, at, hasEnded, isDriven, stays } = report;
  const until = hasEnded
    ? momentText(endedAt ?? at)
    : `${isDriven ? "still under way" : "cut off, and last heard of"} at ${momentText(at)}`;
  const rows: [string, string | null][] = [
    ["plan", `${inline(plan.name)}, ${codeCell(plan.path)}, ${count(plan.tasks, "task")}`],
    workFolder === null
      ? [
          "base",
          `${code(shortOid(base.commit))}${target === null ? "" : ` of ${codeCell(shortRef(target))}`}`,
        ]
      : ["worked in", `${codeCell(workFolder)}, which is in no repository`],
    ["result", landingText(report)],
    ["changed", report.landed === null ? null : diffText(report.landed)],
    ["time", timeText(report)],
    ["from, to", `${momentText(startedAt)}, ${until} (UTC)`],
    ["cost", costText(report)],
    ["exit code", exitText(report)],
    ["folder", codeCell(stays.folder)],
  ];
  return [
    "| | |",
    "|---|---|",
    ...rows.flatMap(([name, text]) => (text === null ? [] : [`| ${name} | ${text} |`])),
    "",
  ];
}

function landingText({ landing, stays, outcome, hasEnded }: RunReport): string {
  if (landing.kind === "landed")
    return `landed on ${codeCell(shortRef(landing.target))}, from ${code(shortOid(landing.from))} to ${code(shortOid(landing.to.commit))}`;
  const back = landing.kind === "undone" ? `taken off ${codeCell(shortRef(landing.target))} again; ` : "";
  if (stays.integration === null) return hasEnded ? "nothing was merged" : "nothing is merged yet";
  return `${back}${outcome === "complete" ? "all" : "what is merged"} is on ${codeCell(stays.integration)}`;
}

/** Nights between a stop and a resume, and those of a machine that slept, are not counted: who compares with from and to is told. */
function timeText({ times: { wallMs, serialMs, speedUp }, startedAt, endedAt, at }: RunReport): string {
  const isFaster = speedUp !== null && speedUp >= 1.05;
  const apart = (endedAt ?? at) - startedAt - wallMs;
  return [
    elapsed(wallMs),
    ...(apart < 1_000 ? [] : [`without ${elapsed(apart)} in which it stood still`]),
    ...(isFaster ? [`one after another ${elapsed(serialMs)} (${factor(speedUp)} faster)`] : []),
  ].join(", ");
}

function costText({ cost }: RunReport): string | null {
  const { budgetUsd, lostUsd } = cost;
  return costWords(cost, budgetUsd, lostUsd === 0 ? "" : `, ${dollars(lostUsd)} of it not merged`);
}

function exitText({ exit }: RunReport): string {
  if (exit === null) return "none yet";
  return `${exit}: ${EXITS[exit]}`;
}

const EXITS: { readonly [E in NonNullable<RunReport["exit"]>]: string } = {
  0: "every task merged or passed, and landed where it was asked to",
  1: "not everything merged and landed (129, 130 or 143 where a signal ended it)",
  3: "nothing was started: a gate is red before anything was done",
};

function needs({ needsYou, remarks }: RunReport): string[] {
  const remarked = remarks.length === 0 ? [] : ["Worth knowing:", "", ...remarks.map(bullet), ""];
  if (needsYou.length === 0) return ["## What needs you", "", "Nothing.", "", ...remarked];
  return ["## What needs you", "", ...needsYou.flatMap(needLines), "", ...remarked];
}

function needLines({ says, details, commands }: Need, n: number): string[] {
  const number = `${n + 1}. `;
  const indent = " ".repeat(number.length);
  return [
    `${number}${inline(says)}`,
    ...details.map((text) => `${indent}- ${inline(text)}`),
    ...commands.map(({ command, says: what }) => `${indent}- ${code(command)}: ${inline(what)}`),
  ];
}

function taskTable({ tasks }: RunReport): string[] {
  const rows = tasks.map((task) => {
    const { usage, attempts, times, diff } = task;
    const tried = attempts.length > 0;
    const cells = [
      codeCell(task.task),
      stateWord(task.state),
      tried ? String(attempts.at(-1)?.n ?? 0) : "",
      tried ? elapsed(times.agentMs + times.gatesMs) : "",
      usage.costUsd === null ? "" : dollars(usage.costUsd),
      diff === null ? "" : diffText(diff),
      task.commit === null ? inline(task.note ?? "") : code(shortOid(task.commit)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = [
    "| task | state | attempts | time | cost | changed | commit or why |",
    "|---|---|---|---|---|---|---|",
  ];
  return ["## Tasks", "", ...head, ...rows, ""];
}

function taskSections({ tasks, stays }: RunReport): string[] {
  const begun = tasks.filter(({ attempts, needsYou }) => attempts.length > 0 || needsYou);
  if (begun.length === 0) return [];
  const inOrder = [...begun].sort((a, b) => Number(b.needsYou) - Number(a.needsYou));
  const lines: string[] = ["## Each task", ""];
  let left = MOST_CHARS;
  let told = 0;
  for (const task of inOrder) {
    const section = taskSection(task, stays.folder);
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
      : [`Flaky, green only when tried again: ${listed(flaky.map(({ name }) => code(name)))}.`, ""]),
    ...verdictLines("Before anything was done:", baseGates),
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
    ...(silent.length === 0 ? [] : [`${listed(silent.map(inline))} did not always tell a cost.`, ""]),
    "| task | cost | of it not merged | tokens in, out |",
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
  const line = (at: number, task: string | null, says: string) =>
    `- ${momentText(at).slice(11)} ${code(task ?? run)} ${inline(says)}`;
  return ["## What happened", "", ...moments.map(({ at, task, says }) => line(at, task, says)), ""];
}

function staysSection({ stays }: RunReport): string[] {
  const { folder, integration, refs, worktrees, commands } = stays;
  return [
    "## What stays",
    "",
    `- the folder of the run, with journal, logs and this report: ${code(folder)}`,
    ...(integration === null ? [] : [`- the branch ${code(integration)}, with what is merged`]),
    ...refLines(refs),
    ...worktrees.map((path) => `- a worktree: ${code(path)}`),
    "",
    ...commands.map(({ command, says }) => `- ${code(command)}: ${inline(says)}`),
    "",
  ];
}

function refLines(refs: RunReport["stays"]["refs"]): string[] {
  const tasks = [...new Set(refs.map(({ task }) => task))];
  return tasks.map((task) => {
    const own = refs.filter((one) => one.task === task).map(({ ref }) => code(ref));
    return `- work of ${code(task)}: ${own.join(", ")}`;
  });
}
