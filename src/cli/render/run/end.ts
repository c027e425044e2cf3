import type { RunFiles, Tails } from "../../../app/index.ts";
import type { EpochMs } from "../../../core/facts.ts";
import type { TaskId } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { spending } from "../../../core/select/forecast.ts";
import { formatPullRequest, listPullRequests } from "../../../core/select/landing-text.ts";
import { listNextSteps } from "../../../core/select/next-steps.ts";
import { progress } from "../../../core/select/progress.ts";
import { remarks } from "../../../core/select/remarks.ts";
import { type RunEnd, runEnd } from "../../../core/select/run-end.ts";
import { findEndStatus, findStatusObstacle, findWhereDone } from "../../../core/select/run-status.ts";
import {
  findRunSign,
  formatCounts,
  formatDone,
  formatObstacle,
  formatRunStatus,
  formatRunWord,
  formatWhereDone,
} from "../../../core/select/run-status-text.ts";
import { openTasks, stayingTrees } from "../../../core/select/task-lists.ts";
import { type TaskRow, taskRows } from "../../../core/select/task-rows.ts";
import { cost, costWords, formatSpeedUp, isNothing, times } from "../../../core/select/totals.ts";
import { count, dollars, elapsed, listed } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { localTime } from "../../../report/local-times.ts";
import { fileLines, treeLines } from "../files.ts";
import { bold, dim, type Line, styled } from "../line.ts";
import { nextLines } from "../next-lines.ts";
import { shown } from "../visible.ts";
import { pad, wrapWords } from "../width.ts";
import { endTable } from "./end-table.ts";
import { type Look, openLines } from "./look.ts";
import { tailLines } from "./tails.ts";

/** The end of a run: how it went, what failed and why, what it took, and what to type now. */
export type EndView = {
  readonly state: RunState;
  readonly now: EpochMs;
  /** By task that failed: the end of what it, or its gate, printed. */
  readonly tails: Tails;
  readonly files?: RunFiles;
  /** What landed, where somebody has counted it. */
  readonly diff?: { readonly files: number; readonly added: number; readonly removed: number } | null;
};

export type EndLook = Look & {
  /** Lines that the whole should take; failures are shown in any case. Null is no limit. */
  readonly height: number | null;
};

const LABEL = 8;

export function endLines(view: EndView, look: EndLook): Line[] {
  const { state, now } = view;
  const rows = taskRows(state, now, { isRunning: false });
  const end = runEnd(state);
  const label = look.width < 60 ? 6 : LABEL;
  const open = openLines(openTasks(state), label, look);
  const filesLook = { glyphs: look.glyphs, label: LABEL, run: state.run };
  const files = view.files === undefined ? [] : fileLines(view.files, filesLook);
  const trees = treeLines(stayingTrees(state), filesLook);
  const commands = nextLines(listNextSteps(state, { isRunning: false }), { ...look, label });
  const next = commands.length === 0 ? [] : [[], ...commands];
  const below = [...totals(view, end, look), ...open, ...trees, ...files, ...next];
  const tails = tailLines(state, view.tails, look);
  const used = 2 + below.length + tails.length + 2;
  const room = look.height === null ? null : Math.max(3, look.height - 1 - used);
  const table = endTable(state, rows, room, look);
  const blocks = [[headline(state, rows, look)], table, tails, below];
  return blocks.filter((lines) => lines.length > 0).flatMap((lines, n) => (n === 0 ? lines : [[], ...lines]));
}

/** `✓ checkout-k7f2 landed on main as 8d1c3f0, 24 of 24 done, every gate green`. */
function headline(state: RunState, rows: readonly TaskRow[], { glyphs, width }: Look): Line {
  const status = findEndStatus(state);
  const [style, glyph] = [status.exit === 0 ? "green" : "red", glyphs.states[findRunSign(status)]] as const;
  const figures = progress(state);
  if (width < 60) return [styled(style, `${glyph} ${formatRunWord(status)}`), `, ${formatDone(figures)}`];
  const text = shown(plainText(formatRunStatus(status), localTime(status.at)), glyphs);
  const gates = status.kind === "landed" && status.exit === 0 && status.isGated ? ", every gate green" : "";
  return [
    styled(style, `${glyph} `),
    bold(state.run),
    styled(style, ` ${text}`),
    `, ${formatCounts(rows, figures)}${gates}`,
  ];
}

function totals({ state, now, diff }: EndView, end: RunEnd, look: Look): Line[] {
  if (look.width < 60) return [[shortTotals(state, now)]];
  const texts: [string, string | null][] = [
    ["why", whyText(state)],
    ...serverTexts(state).map((text): [string, string] => ["server", text]),
    ["time", timeText(state, now)],
    ["cost", costText(state, end)],
    ["work", workText(end)],
    [
      "diff",
      diff == null ? null : `${count(diff.files, "file")}, +${figure(diff.added)} -${figure(diff.removed)}`,
    ],
    ["saved", savedText(state, end)],
    ...remarks(state).map((text): [string, string] => ["note", text]),
  ];
  return texts.flatMap(([label, text]) => (text === null ? [] : labelled(label, text, look)));
}

function whyText(state: RunState): string | null {
  const obstacle = findStatusObstacle(findEndStatus(state));
  return obstacle === null || obstacle.kind === "not-pushed" ? null : plainText(formatObstacle(obstacle));
}

/** One line for each pull request: those of a stack are read one by one. */
function serverTexts(state: RunState): string[] {
  if (state.published.kind === "refused") return [state.published.detail];
  const pulls = listPullRequests(state);
  if (pulls.length > 1) return pulls.map(formatPullRequest);
  return state.published.kind === "published" ? [plainText(formatWhereDone(findWhereDone(state)))] : [];
}

/** A long text wraps below itself. */
function labelled(label: string, text: string, { width, glyphs }: Look): Line[] {
  const lines = wrapWords(shown(text, glyphs), Math.max(20, width - LABEL));
  return lines.map((line, n): Line => [dim(pad(n === 0 ? label : "", LABEL)), line]);
}

const figure = (n: number): string => n.toLocaleString("en-US");

function timeText(state: RunState, now: EpochMs): string {
  const taken = times(state, now);
  const speedUp = formatSpeedUp(taken);
  return `${elapsed(taken.wallMs)}${speedUp === null ? "" : `, ${speedUp}`}`;
}

function costText(state: RunState, { byAgent }: RunEnd): string | null {
  const told = cost(state);
  const { lostUsd } = told;
  const isLost = !isNothing(lostUsd) && findEndStatus(state).exit !== 0;
  const lost = isLost ? `, ${dollars(lostUsd)} of it not merged` : "";
  const agents = byAgent.map(({ agent, usd }) => `${agent} ${dollars(usd)}`).join(", ");
  return costWords(told, state.policy.budgetUsd, lost === "" && byAgent.length > 1 ? `: ${agents}` : lost);
}

function workText({ attempts, redGates, conflicts, parkedMs }: RunEnd): string {
  const parts = [count(attempts, "attempt")];
  if (redGates > 0) parts.push(count(redGates, "red gate"));
  if (conflicts > 0) parts.push(count(conflicts, "conflict"));
  if (parkedMs >= 1_000) parts.push(`${elapsed(parkedMs)} paused`);
  return parts.join(", ");
}

const MOST_KEPT = 6;

function savedText({ run }: RunState, { kept, earlier }: RunEnd): string | null {
  const [first] = kept;
  const where = kept.length === 1 && earlier.length === 0 ? first?.ref : `refs/plait/${run}/...`;
  const parts = [
    ...(kept.length === 0 ? [] : [`work of ${namesOf(kept.map(({ task }) => task))}`]),
    ...(earlier.length === 0 ? [] : [`earlier attempts of ${namesOf(earlier)}`]),
  ];
  return parts.length === 0 ? null : `${parts.join("; ")}, at ${where}`;
}

function namesOf(tasks: readonly TaskId[]): string {
  return tasks.length <= MOST_KEPT ? listed(tasks) : count(tasks.length, "task");
}

function shortTotals(state: RunState, now: EpochMs): string {
  const { usd } = spending(state, taskRows(state, now));
  return `${elapsed(times(state, now).wallMs)}${usd === null ? "" : `   ${dollars(usd)}`}`;
}
