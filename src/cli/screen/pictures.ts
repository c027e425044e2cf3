import type { RunView } from "../../app/run-view.ts";
import type { Task } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import { offered, offers } from "../../core/select/offers.ts";
import { type TaskRow, taskRow } from "../../core/select/task-rows.ts";
import { bodyHeight, findLine, framed, hitsIn, type ScreenLook, taskScreen } from "../render/detail/frame.ts";
import { keysBody } from "../render/detail/keys-body.ts";
import { bold, dim, type Line, styled } from "../render/line.ts";
import { askLines, squeezed } from "../render/run/foot.ts";
import { type Interrupt, type Look, spread } from "../render/run/look.ts";
import type { Foot, FootLines } from "../render/run/rows.ts";
import { shown } from "../render/visible.ts";
import { wrapWords } from "../render/width.ts";
import { type Scrolled, topOf } from "./scroll.ts";
import type { TaskTexts } from "./task-texts.ts";
import type { Place, TaskPlace, Top, Ui } from "./ui.ts";

/** A whole screen, and what of it is scrolled. */
export type Picture = { readonly lines: readonly Line[]; readonly body: Scrolled };

/** A question or an answer, in place of the keys; null where there is neither. */
function wordsBelow({ asking, told }: Ui, look: Look): FootLines | null {
  if (asking !== null) return askLines(asking.asked, look.width);
  if (told === null) return null;
  const lines = wrapWords(shown(told.text, look.glyphs), Math.max(8, look.width - 1));
  return { lines: lines.map((line): Line => [" ", styled(told.style, line)]), keys: 0 };
}

export function blockFoot(ui: Ui, state: RunState, rows: readonly TaskRow[], look: Look): Foot {
  const words = wordsBelow(ui, look);
  if (words !== null) return { kind: "lines", ...words };
  const canApprove = rows.some(({ status }) => status.kind === "held");
  const canRetryNow = offered(offers(state, null, { isRunning: true }), "retry-now") !== null;
  return { kind: "keys", isPaused: state.paused, canApprove, canRetryNow };
}

export type Stage = {
  readonly view: RunView;
  readonly texts: TaskTexts;
  readonly interrupt: Interrupt;
  readonly look: ScreenLook;
};

/** Null where the task is not in the plan any more. */
export function pictureOf(ui: Ui, place: Exclude<Place, { kind: "run" }>, stage: Stage): Picture | null {
  return place.kind === "keys" ? keysPicture(place.top, stage) : taskPicture(ui, place, stage);
}

function keysPicture(top: Top, { interrupt, look }: Stage): Picture {
  const body = keysBody(interrupt, look);
  const height = bodyHeight(look, null);
  const size = { size: body.lines.length, height };
  const position = positionOf(topOf(top, size), size);
  const foot = [spread([dim("esc back")], [dim(position)], look)];
  const heads: [Line, Line] = [[bold("plait")], [dim("keys")]];
  const lines = framed({ heads, body, top: topOf(top, size), find: null, foot }, look);
  return { lines, body: { ...size, files: [], hunks: [], hits: [] } };
}

function taskPicture(ui: Ui, place: TaskPlace, { view, texts, look }: Stage): Picture | null {
  const [state, now] = [view.state(), view.now()];
  const task = state.index.plan.tasks.find(({ id }) => id === place.task);
  const row = taskRow(state, place.task, now);
  if (task === undefined || row === null) return null;
  const { body, figures } = texts.read(task, place, look);
  const hits = place.find === null ? [] : hitsIn(body, place.find.text);
  const foot =
    place.find?.isTyping === true
      ? [findLine(place.find.text, hits.length, look)]
      : squeezedBelow(wordsBelow(ui, look), look);
  const { files, hunks } = body;
  const scrolled: Scrolled = { size: body.lines.length, height: bodyHeight(look, foot), files, hunks, hits };
  const top = topOf(place.top, scrolled);
  const word = look.width < NARROW ? "" : "file ";
  const position = placeText(place, top, scrolled, word) + (isAtWork(row, place, task) ? ", live" : "");
  const find = place.find === null || place.find.text === "" ? null : place.find.text;
  const screen = { row, now, n: place.n, tab: place.tab, body, top, figures, find, foot, position };
  return { lines: taskScreen(screen, look), body: scrolled };
}

/** The name of the task stays above, and a line of what is read. */
const squeezedBelow = (words: FootLines | null, look: ScreenLook): readonly Line[] | null =>
  words === null ? null : squeezed(words, Math.max(2, look.height - 2), look);

const isAtWork = (row: TaskRow, { n, tab }: TaskPlace, { id }: Task): boolean =>
  tab === "log" && row.actor === "agents" && row.attempt === `${id}/${n}`;

const NARROW = 60;

/** `file 1 of 7` in a diff, else how far down. */
function placeText({ tab }: TaskPlace, top: number, scrolled: Scrolled, word: string): string {
  const { files } = scrolled;
  if (tab !== "diff" || files.length === 0) return positionOf(top, scrolled);
  const at = Math.max(1, files.filter((line) => line <= top).length);
  return `${word}${at} of ${files.length}`;
}

function positionOf(top: number, { size, height }: Pick<Scrolled, "size" | "height">): string {
  if (top + height >= size) return "end";
  return `${Math.floor(((top + height) / size) * 100)}%`;
}
