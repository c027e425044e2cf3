import type { EpochMs } from "../../../core/facts.ts";
import type { TaskId } from "../../../core/ids.ts";
import { endsByCheck } from "../../../core/select/failure-text.ts";
import { countTokens } from "../../../core/select/forecast.ts";
import { type Activities, listUnmetNeeds, type TaskRow } from "../../../core/select/task-rows.ts";
import { formatTaskNote, formatTaskStatus } from "../../../core/select/task-status-text.ts";
import { dollars, elapsed, formatDelay, tokenCount } from "../../../core/text/figures.ts";
import { isEmpty, type Sentence, plainText as sentenceText } from "../../../core/text/sentence.ts";
import { untilText } from "../../../report/local-times.ts";
import { bold, dim, type Line, plainText, reversed } from "../line.ts";
import { names } from "../table.ts";
import { shown } from "../visible.ts";
import { cells, cutEnd, cutMiddle, pad, padStart } from "../width.ts";
import { cutAction, type Interrupt, type Look, sign } from "./look.ts";

/** One line a task, in columns that the width allows. */
export type RowLook = Look & {
  readonly now: EpochMs;
  readonly activity: Activities;
  /** Which sign of the spinner; null stands still. */
  readonly frame: number | null;
  readonly selected: TaskId | null;
  readonly columns: Columns;
  readonly interrupt: Interrupt;
  readonly foot: Foot;
};

/** The line at the bottom: the keys that can be pressed, what they would do when they were, or an answer. */
export type Foot =
  /** Nobody can press any but those that a terminal has. */
  | { readonly kind: "none" }
  | {
      readonly kind: "keys";
      readonly isPaused: boolean;
      readonly canApprove: boolean;
      /** Tasks wait for a limit that can be tested before its end. */
      readonly canRetryNow: boolean;
    }
  | ({ readonly kind: "lines" } & FootLines);

/** A question or an answer; the last so many of its lines say what can be pressed, and are the last to go. */
export type FootLines = { readonly lines: readonly Line[]; readonly keys: number };

export const isSelected = ({ task }: TaskRow, { selected }: Pick<RowLook, "selected">): boolean =>
  task === selected;

/** Cells of each column; 0 where it has no room. */
export type Columns = {
  readonly gutter: number;
  readonly name: number;
  readonly who: number;
  readonly time: number;
  readonly tokens: number;
  readonly cost: number;
};

const LONGEST_ID = 24;
const LONGEST_WHO = 18;
const TIME = 8;

/** From all rows of the run and not from those that are shown: so nothing moves when one comes or goes. */
export function columnsOf(rows: readonly TaskRow[], width: number): Columns {
  const longest = rows.reduce((most, row) => Math.max(most, cells(nameOf(row))), 4);
  const widest = rows.reduce((most, row) => Math.max(most, cells(agentText(row, width))), 8);
  const isWide = width >= 100;
  return {
    gutter: isWide ? 8 : 1,
    name: Math.min(longest, width < 80 ? 20 : LONGEST_ID + 3) + 2,
    who: isWide ? Math.min(LONGEST_WHO, widest) + 2 : 8,
    time: TIME,
    tokens: width < 80 ? 0 : isWide ? 6 : 5,
    cost: isWide ? 9 : 7,
  };
}

function nameOf(row: TaskRow): string {
  return row.task + formatAttemptSuffix(row);
}

/** `webhooks #2` from the second attempt on, and `api #3 fix` where it is a fix. */
export function formatAttemptSuffix({ number }: TaskRow): string {
  if (number === null || number.n === 1) return "";
  return ` #${number.n}${number.count?.kind === "fix" ? " fix" : ""}`;
}

function cutName(row: TaskRow, width: number, { cut }: Look["glyphs"]): string {
  const number = formatAttemptSuffix(row);
  return cutMiddle(row.task, width - cells(number), cut) + number;
}

/** Of a row that an agent works at, or plait, or nobody until a time. */
export function taskLine(row: TaskRow, gutter: string, look: RowLook): Line {
  const { columns, glyphs } = look;
  const who = row.actor === "agents" ? agentText(row, look.width) : row.status.kind;
  const head = headOf(row, gutter, look);
  const used = columns.gutter + 2 + columns.name + columns.who + columns.time + 2;
  const figures = figuresOf(row, look);
  const room = look.width - used - cells(figures);
  const action = room < 4 ? "" : cutAction(actionOf(row, look), room, glyphs);
  return marked(row, look, [
    ...head,
    dim(pad(cutEnd(who, columns.who - (look.width >= 100 ? 2 : 0), glyphs.cut), columns.who)),
    padStart(timeOf(row, look.now), columns.time),
    "  ",
    pad(action, Math.max(0, room)),
    figures,
  ]);
}

/** Of a row that waits for others: there is no time to tell, so the words have all the room. */
export function laterLine(row: TaskRow, gutter: string, look: RowLook): Line {
  const room = look.width - look.columns.gutter - 2 - look.columns.name;
  const text = cutEnd(laterText(row, room, look), room, look.glyphs.cut);
  return marked(row, look, [...headOf(row, gutter, look), dim(text)]);
}

/** The selected row in reverse video, but for its gutter, which belongs to the group. */
function marked(row: TaskRow, look: RowLook, [gutter = "", ...rest]: Line): Line {
  if (!isSelected(row, look)) return [gutter, ...rest];
  const left = look.width - cells(plainText([gutter, ...rest]));
  return [gutter, ...reversed([...rest, " ".repeat(Math.max(0, left))])];
}

function laterText(row: TaskRow, room: number, { glyphs }: RowLook): string {
  const after = listUnmetNeeds(row);
  if (after.length > 0) return `after ${names(after, room - cells("after "), glyphs)}`;
  return shown(sentenceText(formatTaskStatus(row.status)), glyphs);
}

function headOf(row: TaskRow, gutter: string, { columns, glyphs, frame, selected }: RowLook): Line {
  const isChosen = row.task === selected;
  const mark = isChosen ? ">" : " ";
  const name = pad(cutName(row, columns.name - 2, glyphs), columns.name);
  return [
    dim(pad(columns.gutter > 1 ? gutter : "", columns.gutter - 1)),
    mark,
    sign(row.status.kind, glyphs, frame),
    row.isCritical ? bold(glyphs.critical) : " ",
    row.isCritical || isChosen ? bold(name) : name,
  ];
}

function agentText({ agent }: TaskRow, width: number): string {
  if (agent === null) return "command";
  const model = width < 100 || agent.model === null ? "" : ` ${agent.model}`;
  return `${agent.use}${model}`;
}

/** Below it, a time of day would need its seconds, for which the column has no room. */
const NEXT = 2 * 60_000;

/** How long it lasts, or how long it waits. */
export function timeOf(row: TaskRow, now: EpochMs): string {
  if (row.until !== null && (row.status.kind === "retrying" || row.until - now < NEXT))
    return formatDelay(row.until - now);
  const isCheck = row.status.kind === "paused" && endsByCheck(row.status.reason);
  if (row.until !== null) return untilText(row.until, now, { at: isCheck ? "at" : "to", in: "in" });
  return elapsed(row.lastsMs ?? row.workMs);
}

/** What the agent last did; plait's own doing where there is room for it. */
function actionOf(row: TaskRow, { activity, width }: RowLook): Sentence {
  if (row.actor === "plait" && width < 80) return "";
  const note = formatTaskNote(row.status);
  if (!isEmpty(note) || row.actor !== "agents" || row.attempt === null) return note;
  return activity.get(row.attempt)?.action ?? "";
}

/** Where there is little room, a row that tells why has no figures. */
function figuresOf(row: TaskRow, { columns, width }: RowLook): string {
  const isTelling = row.actor === "clock" || row.actor === "you";
  if (isTelling && width < 100) return "";
  const { costUsd, inputTokens, outputTokens } = row.usage;
  const isReported = inputTokens !== null || outputTokens !== null;
  const tokens = isReported ? tokenCount(countTokens(row.usage)) : "";
  const first = columns.tokens === 0 ? "" : padStart(tokens, columns.tokens);
  return first + padStart(costUsd === null ? "" : dollars(costUsd), columns.cost);
}
