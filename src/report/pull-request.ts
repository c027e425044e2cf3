import { type ProposalScope, type StackPlace, WHOLE_RUN } from "../core/proposal.ts";
import { formatTaskTitle } from "../core/select/pull-request-title.ts";
import { costWords, formatSpeedUp } from "../core/select/totals.ts";
import { count, elapsed, listed, shortOid } from "../core/text/figures.ts";
import {
  capitalize,
  listParts,
  plainPart,
  plainText,
  type SentencePart,
  withPeriod,
} from "../core/text/sentence.ts";
import { code, codeCell, inline, printed, quoted } from "../util/markdown-text.ts";
import { cutText, endOf } from "./caps.ts";
import { isOnlySummary } from "./change-summary.ts";
import type { ResultCheck, RunReport, TaskReport } from "./model.ts";
import { diffText, TASKS_HEAD, taskCells } from "./report-text.ts";

/** What GitHub takes as the body of a pull request or of a comment, in characters; GitLab takes more. */
export const MOST_PR_CHARS = 65_536;

/** What each part may have of it, so that none can push the others out; texts of agents get what is left. */
const MOST = { changes: 10_000, needs: 6_000, tasks: 18_000, gates: 4_000, graph: 16_000, leftOut: 1_000 };
const MOST_TEXT = 3_000;
const MOST_PRINTED = 600;
/** A larger graph is folded up: a reader wants to see the table first. */
const MOST_OPEN_TASKS = 30;

/**
 * The text of a pull request: the change first, then the gates and the tasks, and behind a click the graph and texts of agents and
 * failed gates. Text of agents and tools cannot mention anyone, link an issue or close one; no path of this machine and no command
 * that a reviewer cannot run is named. `graph` is a Mermaid flowchart; empty where there is nothing to draw, null where it would be
 * too large.
 */
export function pullRequestReport(
  run: RunReport,
  graph: string | null,
  { task, place }: ProposalScope = WHOLE_RUN,
): string {
  const report = task === null ? run : { ...run, tasks: run.tasks.filter((one) => one.task === task) };
  const parts = [
    changesPart(report),
    ...(task === null ? [needsPart(report)] : []),
    checksPart(report),
    tasksPart(report),
    ...(task === null ? [graphPart(report, graph)] : []),
  ];
  const fixed = [
    ...stackLines(place),
    ...redLines(report, place),
    ...outcomeLines(report),
    ...parts.flatMap(({ lines }) => lines),
    ...runLine(report, task === null),
  ];
  const room = MOST_PR_CHARS - MOST.leftOut - length(fixed);
  const texts = textsPart(report, room);
  const missing = [...parts, texts].flatMap(({ leftOut }) => leftOut);
  const told = missing.length === 0 ? [] : [`Left out: ${missing.join("; ")}.`, ""];
  return `${[...fixed, ...texts.lines, ...told].join("\n").trimEnd()}\n`;
}

/** `leftOut` ends a sentence that begins with `Left out:`. */
type Part = { readonly lines: readonly string[]; readonly leftOut: readonly string[] };

const NOTHING: Part = { lines: [], leftOut: [] };

function stackLines(place: StackPlace | null): string[] {
  if (place === null || place.of < 2) return [];
  const { n, of, below } = place;
  const on = below === null ? "" : ` Merge ${below.url} (${quietProse(short(below.title, 80))}) first.`;
  return [`Pull request ${n} of ${of} in a stack.${on}`, ""];
}

/** Gates are green for the top of a stack; below it one may be red. */
function redLines({ checks }: RunReport, place: StackPlace | null): string[] {
  const red = checks
    .filter(({ verdict }) => verdict === "red")
    .map(({ command }) => code(short(command, 200)));
  if (place === null || red.length === 0) return [];
  const is = red.length === 1 ? "is" : "are";
  return [`**${listed(red)} ${is} red for this pull request alone and green for its whole stack.**`, ""];
}

/** A run that ended without all of its tasks begins with that. */
function outcomeLines({ exit, text }: RunReport): string[] {
  if (exit === null || exit === 0) return [];
  return [`**${listParts(capitalize(text)).map(quietPart).join("")}.**`, ""];
}

/** What changed and why, in the words of the agents that did it. */
function changesPart({ tasks }: RunReport): Part {
  const merged = tasks.filter(({ status }) => status === "merged");
  const [only] = merged;
  if (only !== undefined && merged.length === 1) {
    const text = changeText(only);
    return text === "" ? NOTHING : { lines: [text, ""], leftOut: [] };
  }
  const items = merged.map((task) => [
    `- **${plainText(withPeriod(quietProse(titleFor(task))))}** ${changeText(task)}`.trimEnd(),
  ]);
  return fittingPart([], items, MOST.changes, (rest) => `summaries of ${count(rest, "task")}`);
}

function changeText({ summary }: TaskReport): string {
  return summary === null ? "" : plainText(withPeriod(quietProse(summary)));
}

/** The summary of its change has all of it. */
const isShown = ({ status, summary, message }: TaskReport): boolean =>
  status === "merged" && summary !== null && message !== null && isOnlySummary(message, summary);

const titleFor = ({ title }: TaskReport): string => short(formatTaskTitle(title), 120);

function needsPart({ needsYou }: RunReport): Part {
  if (needsYou.length === 0) return NOTHING;
  const items = needsYou.map(({ text }) => [`- ${quiet(short(text, 300))}`]);
  return fittingPart(["## Needs you", ""], items, MOST.needs, (rest) => `${rest} more that need you`);
}

function checksPart({ checks }: RunReport): Part {
  if (checks.length === 0) return NOTHING;
  const items = checks.map((check) => [checkLine(check)]);
  return fittingPart(["## Checks", ""], items, MOST.gates, (rest) => count(rest, "gate"));
}

function checkLine({ name, command, verdict, durationMs }: ResultCheck): string {
  const mark = verdict === null ? "–" : verdict === "green" ? "✓" : "✗";
  const called = name === command ? "" : ` (${quiet(short(name, 80))})`;
  const time = verdict === null ? ", not run on the result" : `, ${elapsed(durationMs)}`;
  return `- ${mark} ${code(short(command, 200))}${called}${time}`;
}

function tasksPart({ tasks }: RunReport): Part {
  const inOrder = [...tasks].sort((a, b) => Number(b.needsYou) - Number(a.needsYou));
  const items = inOrder.map((task) => [taskRow(task)]);
  return fittingPart(TASKS_HEAD, items, MOST.tasks, (rest) => {
    const left = new Map<string, number>();
    for (const { status } of inOrder.slice(-rest)) left.set(status, (left.get(status) ?? 0) + 1);
    const states = [...left].map(([status, n]) => `${n} ${status}`);
    return `${count(rest, "task")} (${listed(states)})`;
  });
}

function taskRow(task: TaskReport): string {
  const { commit, note } = task;
  const name = task.title === task.task ? "" : ` ${quiet(short(task.title, 80), codeCell)}`;
  const why = commit === null ? quiet(short(note ?? "", 160), codeCell) : shortOid(commit);
  return taskCells(task, `${codeCell(task.task)}${name}`, why);
}

/** What it took, below all that is about the change. */
function runLine({ run, plan, landed, times, cost }: RunReport, isWhole: boolean): string[] {
  const name = `Run ${code(run)} of ${quiet(short(plan.name, 100))}`;
  if (!isWhole) return [`${name}.`, ""];
  const speedUp = formatSpeedUp(times);
  const spent = costWords(cost, null);
  const figures = [
    ...[elapsed(times.wallMs), ...(speedUp === null ? [] : [speedUp])],
    ...(spent === null ? [] : [cost.isReported ? spent : `cost ${spent}`]),
    ...(landed === null ? [] : [diffText(landed)]),
  ];
  return [`${name}: ${figures.join(", ")}.`, ""];
}

function graphPart({ tasks }: RunReport, graph: string | null): Part {
  if (graph === "") return NOTHING;
  if (graph === null || graph.length > MOST.graph)
    return { lines: [], leftOut: ["the graph, which is too large to draw here"] };
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
      : [folded(`${htmlCode(task)}: last output of the failed gate`, printed(endOf(output, MOST_TEXT)))],
  );
  const messages = [...tasks]
    .sort((a, b) => Number(b.needsYou) - Number(a.needsYou))
    .filter((task) => !isShown(task))
    .flatMap(({ task, message: text, agent }) => {
      if (text === null) return [];
      const name = htmlCode(task);
      return agent === null
        ? [folded(`${name}: last output`, printed(endOf(text, MOST_PRINTED)))]
        : [folded(`${name}: final message of the agent`, quoted(cutText(text, MOST_TEXT)))];
    });
  const { lines, leftOut } = fittingPart([], [...failed, ...messages], room, (rest) => {
    return `${count(rest, "message")} of agents and gates`;
  });
  return { lines: lines.slice(0, -1), leftOut };
}

/** The blank lines are needed: what stands between them is Markdown again. */
function folded(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, "", ...lines, "", "</details>", ""];
}

const htmlCode = (text: string): string =>
  `<code>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/\s/g, " ")}</code>`;

/** As many whole blocks, from the first on, as there is room for; `name` says what the others are. */
function fittingPart(
  head: readonly string[],
  blocks: readonly (readonly string[])[],
  room: number,
  name: (rest: number) => string,
): Part {
  const lines: string[] = [];
  let [left, taken] = [room, 0];
  for (const block of blocks) {
    left -= length(block);
    if (left < 0) break;
    lines.push(...block);
    taken += 1;
  }
  const rest = blocks.length - taken;
  const isEmpty = head.length + lines.length === 0;
  return { lines: isEmpty ? [] : [...head, ...lines, ""], leftOut: rest === 0 ? [] : [name(rest)] };
}

const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

function short(text: string, most: number): string {
  const chars = [...text];
  if (chars.length <= most) return text;
  const cut = chars.slice(0, most - 1).join("");
  const space = chars[most - 1] === " " ? -1 : cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}…`;
}

/**
 * Text that servers find nothing in: no `@name`, `#12`, `owner/name#12`, commit, address or formula. Plain prose stays as it is, all
 * else is code.
 */
function quiet(text: string, asCode: (text: string) => string = code): string {
  const isProse = /^[\p{L}\p{M}\p{N} .,;:'’()…"?!%–—-]*$/u.test(text);
  return isProse && !/[0-9a-f]{7}|\bgh-\d|www\.|\w\.\w/i.test(text) ? inline(text) : asCode(text);
}

/** A part of a sentence of plait's own: a branch or an address is code, a commit is linked; a text may have words of others in it. */
function quietPart(part: SentencePart): string {
  if (typeof part === "string") return quietWords(short(part, 500));
  return part.kind === "commit" ? plainPart(part) : quiet(plainPart(part));
}

/** Prose of others, word for word. */
const quietProse = (text: string): string => quietWords(text.replace(/\s+/g, " ").trim());

/** Only the words that could link or mention become code. */
const quietWords = (text: string): string =>
  text.replace(/\(?\S*[^\s.,;:)]/g, (word) =>
    word.startsWith("(") ? `(${quiet(word.slice(1))}` : quiet(word),
  );
