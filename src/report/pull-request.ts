import { costWords } from "../core/select/cost-words.ts";
import { count, factor } from "../core/select/preview/words.ts";
import { dollars, elapsed, listed, shortOid } from "../core/select/run-words.ts";
import { capital } from "../core/select/sentences.ts";
import { stateWord } from "../core/select/state-words.ts";
import { code, codeCell, inline, printed, quoted } from "../util/markdown-text.ts";
import { cutText, endOf } from "./caps.ts";
import type { GateFigures, Need, RunReport, TaskReport } from "./model.ts";
import { diffText } from "./report-words.ts";

/** What GitHub takes as the body of a pull request or of a comment, in characters; GitLab takes more. */
export const MOST_PR_CHARS = 65_536;

/** What each part may have of it, so that none can push the others out; texts of agents get what is left. */
const MOST = { needs: 10_000, tasks: 18_000, gates: 4_000, graph: 16_000, leftOut: 1_000 };
const MOST_TEXT = 3_000;
const MOST_PRINTED = 600;
/** A larger graph is folded up: a reader wants to see the table first. */
const MOST_OPEN_TASKS = 30;

/**
 * The report for a pull request: how it ended, what needs a person, every task, gates, the graph, and behind a click what agents and
 * failed gates said. What comes from agents or tools stands in code, so that it can mention nobody, link to no issue and close
 * none; it names no path of this machine. `graph` is a Mermaid flowchart; empty where there is nothing to draw, null where it
 * would be too large.
 */
export function pullRequestReport(report: RunReport, graph: string | null): string {
  const parts = [needsPart(report), tasksPart(report), gatesPart(report), graphPart(report, graph)];
  const fixed = [...head(report), ...parts.flatMap(({ lines }) => lines)];
  const room = MOST_PR_CHARS - MOST.leftOut - length(fixed);
  const texts = textsPart(report, room);
  const missing = [...parts, texts].flatMap(({ leftOut }) => leftOut);
  const told = missing.length === 0 ? [] : [`Left out: ${missing.join("; ")}.`, ""];
  return `${[...fixed, ...texts.lines, ...told].join("\n").trimEnd()}\n`;
}

/** `leftOut` ends a sentence that begins with `Left out:`. */
type Part = { readonly lines: readonly string[]; readonly leftOut: readonly string[] };

const NOTHING: Part = { lines: [], leftOut: [] };

function head(report: RunReport): string[] {
  const { run, plan, landed, times, cost } = report;
  const says = short(report.says, 500);
  const isFaster = times.speedUp !== null && times.speedUp >= 1.05;
  const faster = isFaster
    ? ` (one after another ${elapsed(times.serialMs)}, ${factor(times.speedUp ?? 1)} faster)`
    : "";
  const spent = costWords(cost, null);
  const figures = [
    `${elapsed(times.wallMs)}${faster}`,
    ...(spent === null ? [] : [cost.isTold ? spent : `cost ${spent}`]),
    ...(landed === null ? [] : [diffText(landed)]),
  ];
  return [
    `**${quietWords(capital(says))}.**`,
    "",
    `Run ${code(run)} of ${quiet(short(plan.name, 100))}: ${figures.join(", ")}.`,
    "",
  ];
}

function needsPart({ needsYou }: RunReport): Part {
  if (needsYou.length === 0) return NOTHING;
  const { lines, taken } = fitting(needsYou.map(needLines), MOST.needs);
  const rest = needsYou.length - taken;
  return {
    lines: ["### What needs you", "", ...lines, ""],
    leftOut: rest === 0 ? [] : [`${rest} more of what needs you`],
  };
}

/** Its details are for who sits at the machine: paths, mostly. */
function needLines({ says, commands }: Need): string[] {
  return [
    `- ${quiet(short(says, 300))}`,
    ...commands.slice(0, 3).map(({ command, says: what }) => `  - ${code(command)}: ${inline(what)}`),
  ];
}

function tasksPart({ tasks }: RunReport): Part {
  const inOrder = [...tasks].sort((a, b) => Number(b.needsYou) - Number(a.needsYou));
  const { lines, taken } = fitting(
    inOrder.map((task) => [taskRow(task)]),
    MOST.tasks,
  );
  const rest = new Map<string, number>();
  for (const { state } of inOrder.slice(taken))
    rest.set(stateWord(state), (rest.get(stateWord(state)) ?? 0) + 1);
  const states = [...rest].map(([state, n]) => `${n} ${state}`);
  return {
    lines: [
      "| task | state | attempts | time | cost | changed | commit or why |",
      "|---|---|---|---|---|---|---|",
      ...lines,
      "",
    ],
    leftOut: rest.size === 0 ? [] : [`${count(tasks.length - taken, "task")} (${listed(states)})`],
  };
}

function taskRow(task: TaskReport): string {
  const { attempts, times, usage, diff, commit, note } = task;
  const tried = attempts.length > 0;
  const name = task.title === task.task ? "" : ` ${quiet(short(task.title, 80), codeCell)}`;
  const cells = [
    `${codeCell(task.task)}${name}`,
    stateWord(task.state),
    tried ? String(attempts.at(-1)?.n ?? 0) : "",
    tried ? elapsed(times.agentMs + times.gatesMs) : "",
    usage.costUsd === null ? "" : dollars(usage.costUsd),
    diff === null ? "" : diffText(diff),
    commit === null ? quiet(short(note ?? "", 160), codeCell) : shortOid(commit),
  ];
  return `| ${cells.join(" | ")} |`;
}

function gatesPart({ gates }: RunReport): Part {
  if (gates.length === 0) return NOTHING;
  const { lines, taken } = fitting(
    gates.map((gate) => [gateRow(gate)]),
    MOST.gates,
  );
  const rest = gates.length - taken;
  return {
    lines: ["| gate | green | red | flaky | time |", "|---|---|---|---|---|", ...lines, ""],
    leftOut: rest === 0 ? [] : [count(rest, "gate")],
  };
}

function gateRow({ name, green, red, flaky, unaffected, knownRed, totalMs }: GateFigures): string {
  const figures = [green + unaffected + knownRed, red, flaky].map((n) => (n === 0 ? "" : String(n)));
  return `| ${[codeCell(short(name, 80)), ...figures, elapsed(totalMs)].join(" | ")} |`;
}

function graphPart({ tasks }: RunReport, graph: string | null): Part {
  if (graph === "") return NOTHING;
  if (graph === null || graph.length > MOST.graph)
    return { lines: [], leftOut: ["the graph, which is too large to be drawn here"] };
  const picture = ["```mermaid", ...graph.trimEnd().split("\n"), "```"];
  return {
    lines: tasks.length <= MOST_OPEN_TASKS ? [...picture, ""] : folded("The graph", picture),
    leftOut: [],
  };
}

/** What failed first, then what agents say of their work. */
function textsPart({ tasks }: RunReport, room: number): Part {
  const failed = tasks.flatMap(({ task, output }) =>
    output === null
      ? []
      : [folded(`${htmlCode(task)}: what failed printed last`, printed(endOf(output, MOST_TEXT)))],
  );
  const said = [...tasks]
    .sort((a, b) => Number(b.needsYou) - Number(a.needsYou))
    .flatMap(({ task, said: text, agent }) => {
      if (text === null) return [];
      const name = htmlCode(task);
      return agent === null
        ? [folded(`${name}: what it printed last`, printed(endOf(text, MOST_PRINTED)))]
        : [folded(`${name}: what the agent says`, quoted(cutText(text, MOST_TEXT)))];
    });
  const all = [...failed, ...said];
  const { lines, taken } = fitting(all, room);
  const rest = all.length - taken;
  return { lines, leftOut: rest === 0 ? [] : [`${count(rest, "text")} of agents and gates`] };
}

/** The blank lines are needed: what stands between them is Markdown again. */
function folded(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, "", ...lines, "", "</details>", ""];
}

const htmlCode = (text: string): string =>
  `<code>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/\s/g, " ")}</code>`;

/**
 * Text that servers find nothing in: no `@name`, `#12`, `owner/name#12`, commit, address or formula. Plain prose stays as it is, all
 * else is code.
 */
function quiet(text: string, asCode: (text: string) => string = code): string {
  const isProse = /^[\p{L}\p{M}\p{N} .,;:'’()…-]*$/u.test(text);
  return isProse && !/[0-9a-f]{7}|\bgh-\d|www\.|\w\.\w/i.test(text) ? inline(text) : asCode(text);
}

/** A sentence of plait's own, in which a branch or an address may stand; commits are to be linked. */
const quietWords = (text: string): string =>
  text.replace(/\S*[^\s.,;:]/g, (word) => (/^[0-9a-f]{7}$/.test(word) ? word : quiet(word)));

/** As many whole ones, from the first on, as there is room for. */
function fitting(
  blocks: readonly (readonly string[])[],
  room: number,
): { readonly lines: readonly string[]; readonly taken: number } {
  const lines: string[] = [];
  let left = room;
  let taken = 0;
  for (const block of blocks) {
    left -= length(block);
    if (left < 0) break;
    lines.push(...block);
    taken += 1;
  }
  return { lines, taken };
}

const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

function short(text: string, most: number): string {
  const chars = [...text];
  return chars.length <= most ? text : `${chars.slice(0, most - 1).join("")}…`;
}
