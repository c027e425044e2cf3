import type { RunFiles } from "../../app/index.ts";
import type { EpochMs } from "../../core/facts.ts";
import type { RunId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { openTasks } from "../../core/select/open-tasks.ts";
import { overview } from "../../core/select/overview.ts";
import { shortOid } from "../../core/select/run-words.ts";
import { stateWord } from "../../core/select/state-words.ts";
import { statusCommands } from "../../core/select/status-commands.ts";
import { stayingTrees } from "../../core/select/staying-trees.ts";
import type { Activities, Ball, Beside, TaskRow } from "../../core/select/task-rows.ts";
import { dayAndMinute } from "../../report/local-times.ts";
import { dollars } from "./figures.ts";
import { fileLines, treeLines } from "./files.ts";
import { bold, dim, type Line, plainText, styled } from "./line.ts";
import { nextLines } from "./next-lines.ts";
import { banner } from "./run/banner.ts";
import { needYouLine } from "./run/groups.ts";
import { cutAction, cutLine, type Look, openLines, sign } from "./run/look.ts";
import { timeOf } from "./run/rows.ts";
import { barLine, headLine, progressLine } from "./run/summary.ts";
import { resultOf } from "./runs.ts";
import { names } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, cutMiddle, pad, padStart, wrapWords } from "./width.ts";

/** A run at one moment: how far it is, who drives it, one row a task, what needs a person, and what to type. */
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
      driveLine(view, look),
      barLine(summary, look),
      ...(wide ? [progressLine(summary, look)].filter((line) => plainText(line).trim() !== "") : []),
      ...(view.driver === null ? whyLines(state, look) : banner(summary, { ...look, interrupt: "leaves" })),
    ],
    table(
      [...rows].sort((a, b) => rank(a) - rank(b)),
      view,
      look,
    ),
    needYouLine(
      rows.filter(({ ball }) => ball === "you"),
      0,
      look,
    ),
    openLines(openTasks(state), 6, look),
    view.files == null ? [] : filesOf(view.files, state, look),
    nextLines(statusCommands(state, { isDriven: view.driver !== null }), look),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, n): Line[] => (n === 0 ? lines : [[], ...lines]));
}

function filesOf(files: RunFiles, state: RunState, { glyphs }: Look): Line[] {
  const look = { glyphs, label: LABEL, run: state.run };
  return [...treeLines(stayingTrees(state), look), ...fileLines(files, look)];
}

/** What was under way when the last driver went is not under way any more. */
const besideOf = ({ activity, driver }: StatusView): Beside => ({ activity, isDriven: driver !== null });

/** Why a run that nobody drives has not come to its end: whole, because it says what to do. */
function whyLines({ landing, held }: RunState, { width, glyphs }: Look): Line[] {
  const why =
    landing.kind === "refused" ? `Not landed: ${landing.detail}` : held === null ? null : `Held: ${held}`;
  if (why === null) return [];
  return wrapWords(shown(why, glyphs), width).map((line): Line => [styled("red", line)]);
}

/** Whether it is over, goes on, or stands still because nobody drives it. */
function driveLine({ state, driver }: StatusView, look: Look): Line {
  const { glyphs } = look;
  if (state.ended !== null) {
    const { sign: glyph, text } = resultOf({ state, driver: null }, state.ended.at, glyphs);
    return cutLine([glyph, ` ${text}`, dim(`, ended ${dayAndMinute(state.ended.at)}`)], look);
  }
  if (driver !== null) {
    const text = ` driven by process ${driver.pid} on ${driver.host}`;
    return cutLine([sign("running", glyphs), shown(text, glyphs)], look);
  }
  const text = `${glyphs.states.held} not ended, and nobody drives it; last seen ${dayAndMinute(state.clock)}`;
  return cutLine([styled("red", text)], look);
}

/** What a person has to do comes first, what is done last; else as in the plan. */
const ORDER: readonly Ball[] = ["you", "agents", "plait", "clock", "later", "done"];
const rank = ({ ball }: TaskRow): number => ORDER.indexOf(ball);

const LABEL = 8;
const LONGEST_ID = 24;
const [STATE, TRIES, TIME, COST] = [9, 7, 9, 9];

function table(rows: readonly TaskRow[], view: StatusView, look: Look): Line[] {
  if (look.width < 60) return rows.map((row) => narrowRow(row, view, look));
  const ids = rows.map(({ task }) => cutMiddle(task, LONGEST_ID, look.glyphs.cut));
  const name = ids.reduce((most, id) => Math.max(most, cells(id)), 4) + 2;
  const room = Math.max(6, look.width - 2 - name - STATE - TRIES - TIME - COST - 2);
  const head = `  ${pad("task", name)}${pad("state", STATE)}${figures("tries", "time", "cost")}  commit or why`;
  return [
    [dim(head)],
    ...rows.map((row, n): Line => {
      const { tries, usage } = row;
      const time = row.until !== null || tries > 0 ? timeOf(row, view.now) : "-";
      const cost = usage.costUsd === null ? "-" : dollars(usage.costUsd);
      return [
        sign(row.shown, look.glyphs),
        ` ${pad(ids[n] as string, name)}${pad(stateWord(row.shown), STATE)}`,
        `${figures(tries === 0 ? "-" : String(tries), time, cost)}  `,
        noteOf(row, view, { ...look, width: room }),
      ];
    }),
  ];
}

const figures = (tries: string, time: string, cost: string): string =>
  padStart(tries, TRIES - 2) + padStart(time, TIME) + padStart(cost, COST);

function narrowRow(row: TaskRow, view: StatusView, look: Look): Line {
  const { glyphs, width } = look;
  const id = cutMiddle(row.task, Math.max(8, Math.min(LONGEST_ID, width - 24)), glyphs.cut);
  const head = ` ${id}  ${stateWord(row.shown)}  `;
  const room = Math.max(4, width - 1 - cells(head));
  return [sign(row.shown, glyphs), head, noteOf(row, view, { ...look, width: room })];
}

/** Its commit, what it does, or why it does nothing. */
function noteOf(row: TaskRow, { activity }: StatusView, { width, glyphs }: Look): string {
  if (row.commit !== null) return shortOid(row.commit);
  if (row.after.length > 0) return `after ${names(row.after, Math.max(4, width - cells("after ")), glyphs)}`;
  const doing = row.attempt === null ? null : (activity.get(row.attempt)?.action ?? null);
  const note = row.note ?? (row.ball === "agents" ? doing : null) ?? "";
  if (row.shown === "waiting")
    return cutEnd(note === "" ? "" : `waits for ${shown(note, glyphs)}`, width, glyphs.cut);
  return cutAction(shown(note, glyphs), width, glyphs);
}

/** For a run that goes on without whoever is told so. */
export function goOnLines(run: RunId, look: Look): Line[] {
  const commands = [
    { command: `plait watch ${run}`, says: "see it" },
    { command: `plait stop ${run}`, says: "let its attempts end, and start no more" },
  ];
  return nextLines(commands, look);
}
