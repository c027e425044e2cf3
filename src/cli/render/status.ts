import type { RunFiles } from "../../app/index.ts";
import type { EpochMs } from "../../core/facts.ts";
import type { RunId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { formatPullRequest, listPullRequests } from "../../core/select/landing-text.ts";
import { listNextSteps } from "../../core/select/next-steps.ts";
import { overview } from "../../core/select/overview.ts";
import { findEndStatus, findStatusObstacle } from "../../core/select/run-status.ts";
import { formatObstacle } from "../../core/select/run-status-text.ts";
import { openTasks, stayingTrees } from "../../core/select/task-lists.ts";
import { type Activities, type Beside, listUnmetNeeds, type TaskRow } from "../../core/select/task-rows.ts";
import type { NextActor } from "../../core/select/task-status.ts";
import { formatTaskNote } from "../../core/select/task-status-text.ts";
import { plait } from "../../core/text/command.ts";
import { dollars, shortOid } from "../../core/text/figures.ts";
import { capitalize, isEmpty, plainText as sentenceText } from "../../core/text/sentence.ts";
import { dayAndMinute } from "../../report/local-times.ts";
import { fileLines, treeLines } from "./files.ts";
import { bold, dim, type Line, plainText, styled } from "./line.ts";
import { nextLines } from "./next-lines.ts";
import { banner } from "./run/banner.ts";
import { needYouLine } from "./run/groups.ts";
import { cutAction, cutLine, type Look, measureLastColumn, openLines, sign } from "./run/look.ts";
import { timeOf } from "./run/rows.ts";
import { barLine, headLine, progressLine } from "./run/summary.ts";
import { resultOf } from "./runs.ts";
import { names } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, cutMiddle, pad, padStart, wrapWords } from "./width.ts";

/** A run at one moment: its status, one row for each task, what needs a person, and what to type. */
export type StatusView = {
  readonly state: RunState;
  readonly now: EpochMs;
  readonly activity: Activities;
  readonly driver: Driver | null;
  /** Of a run that has ended. */
  readonly files?: RunFiles | null;
};

export type Driver = { readonly pid: number; readonly host: string; readonly at: string };

export function statusLines(view: StatusView, look: Look): Line[] {
  const { state } = view;
  const summary = overview(state, view.now, besideOf(view));
  const { rows } = summary;
  const wide = look.width >= 60;
  const blocks: Line[][] = [
    [
      ...(wide ? [headLine(summary, look)] : [[bold(state.run)] as Line]),
      ...statusLine(view, look),
      barLine(summary, look),
      ...(wide ? [progressLine(summary, look)].filter((line) => plainText(line).trim() !== "") : []),
      ...(view.driver === null ? whyLines(state, look) : banner(summary, { ...look, interrupt: "leaves" })),
    ],
    table(
      [...rows].sort((a, b) => rank(a) - rank(b)),
      view,
      look,
    ),
    needYouLine(summary.needs, 0, look),
    openLines(openTasks(state), 6, look),
    serverLines(state, look),
    view.files == null ? [] : filesOf(view.files, state, look),
    nextLines(listNextSteps(state, { isRunning: view.driver !== null }), look),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, n): Line[] => (n === 0 ? lines : [[], ...lines]));
}

function serverLines(state: RunState, { glyphs }: Look): Line[] {
  return listPullRequests(state).map(
    (pull): Line => [dim(pad("server", LABEL)), shown(formatPullRequest(pull), glyphs)],
  );
}

function filesOf(files: RunFiles, state: RunState, { glyphs }: Look): Line[] {
  const look = { glyphs, label: LABEL, run: state.run };
  return [...treeLines(stayingTrees(state), look), ...fileLines(files, look)];
}

/** Nothing is running in an interrupted run. */
const besideOf = ({ activity, driver }: StatusView): Beside => ({ activity, isRunning: driver !== null });

/** Why a run that is not running has not landed: in full, because it says what to do. */
function whyLines(state: RunState, { width, glyphs }: Look): Line[] {
  const obstacle = findStatusObstacle(findEndStatus(state));
  if (obstacle === null) return [];
  const text = sentenceText(capitalize(formatObstacle(obstacle)));
  return wrapWords(shown(text, glyphs), width).map((line): Line => [styled("red", line)]);
}

/** Its status, and the plait process that runs it. */
function statusLine({ state, driver, now }: StatusView, look: Look): Line[] {
  const { glyphs } = look;
  const at = state.ended?.at ?? now;
  const { sign: glyph, text } = resultOf({ state, driver }, at, { glyphs, isBranchShown: false });
  const aside =
    state.ended !== null
      ? `ended ${dayAndMinute(state.ended.at)}`
      : driver === null
        ? `last active ${dayAndMinute(state.clock)}`
        : `process ${driver.pid} on ${driver.host}`;
  const head: Line = [glyph, ` ${text}`];
  const line: Line = [...head, dim(shown(`, ${aside}`, glyphs))];
  if (cells(plainText(line)) <= look.width || look.isUnbounded) return [line];
  return [cutLine(head, look), cutLine(["  ", dim(shown(aside, glyphs))], look)];
}

/** What a person has to do comes first, what is done last; else as in the plan. */
const ORDER: readonly NextActor[] = ["you", "agents", "plait", "clock", "later", "done"];
const rank = ({ actor }: TaskRow): number => ORDER.indexOf(actor);

const LABEL = 8;
const LONGEST_ID = 24;
const [ATTEMPTS, TIME, COST] = [10, 9, 9];

function table(rows: readonly TaskRow[], view: StatusView, look: Look): Line[] {
  if (look.width < 60) return rows.map((row) => narrowRow(row, view, look));
  const ids = rows.map(({ task }) => cutMiddle(task, LONGEST_ID, look.glyphs.cut));
  const name = ids.reduce((most, id) => Math.max(most, cells(id)), 4) + 2;
  const state = rows.reduce((most, { status }) => Math.max(most, status.kind.length), 7) + 2;
  const room = measureLastColumn(look.width - 2 - name - state - ATTEMPTS - TIME - COST - 2, look);
  const head = `  ${pad("task", name)}${pad("state", state)}${figures("attempts", "time", "cost")}  commit or why`;
  return [
    [dim(head)],
    ...rows.map((row, n): Line => {
      const { attempts, usage } = row;
      const time = row.until !== null || attempts > 0 ? timeOf(row, view.now) : "-";
      const cost = usage.costUsd === null ? "-" : dollars(usage.costUsd);
      return [
        sign(row.status.kind, look.glyphs),
        ` ${pad(ids[n] as string, name)}${pad(row.status.kind, state)}`,
        `${figures(attempts === 0 ? "-" : String(attempts), time, cost)}  `,
        noteOf(row, view, { ...look, width: room }),
      ];
    }),
  ];
}

const figures = (attempts: string, time: string, cost: string): string =>
  padStart(attempts, ATTEMPTS - 2) + padStart(time, TIME) + padStart(cost, COST);

function narrowRow(row: TaskRow, view: StatusView, look: Look): Line {
  const { glyphs, width } = look;
  const id = cutMiddle(row.task, Math.max(8, Math.min(LONGEST_ID, width - 24)), glyphs.cut);
  const head = ` ${id}  ${row.status.kind}  `;
  const room = Math.max(4, width - 1 - cells(head));
  return [sign(row.status.kind, glyphs), head, noteOf(row, view, { ...look, width: room })];
}

/** Its commit, what it does, or why it does nothing. */
function noteOf(row: TaskRow, { activity }: StatusView, { width, glyphs }: Look): string {
  if (row.commit !== null) return shortOid(row.commit);
  const after = listUnmetNeeds(row);
  if (after.length > 0) return `for ${names(after, Math.max(4, width - cells("for ")), glyphs)}`;
  const doing = row.attempt === null ? null : (activity.get(row.attempt)?.action ?? null);
  const note = formatTaskNote(row.status);
  return cutAction(isEmpty(note) && row.actor === "agents" ? (doing ?? "") : note, width, glyphs);
}

/** For a run that continues in the background. */
export function backgroundLines(run: RunId, look: Look): Line[] {
  const steps = [
    { command: plait("watch", run), purpose: "follow the run live" },
    { command: plait("stop", run), purpose: "stop once running attempts finish" },
  ];
  return nextLines(steps, look);
}
