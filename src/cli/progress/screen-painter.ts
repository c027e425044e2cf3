import type { Line } from "../render/line.ts";
import { cells } from "../render/width.ts";
import { type Painted, type PaintLook, painted } from "./painter.ts";

/**
 * A screen of its own, painted over itself: the terminal keeps the other one, with all that stays there, until this one is left.
 * As in the block, a frame is one piece between the marks of a synchronized update, and has only the lines that changed.
 */
export type ScreenPainter = {
  /** The text that shows these lines, as many as the screen has; null when nothing would change. */
  readonly frame: (lines: readonly Line[], look: PaintLook) => string | null;
  /** The text that gives the other screen back; empty where this one is not shown. */
  readonly leave: () => string;
};

const ESC = "\u001b[";
const BEGIN = `${ESC}?2026h`;
const END = `${ESC}?2026l`;
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}2J`;
const CLEAR = `${ESC}2J`;
/** Wiped first: tmux takes lines that became wider than the other screen was for some of its history, and they would stay. */
const LEAVE = `${CLEAR}${ESC}?1049l`;

export function createScreenPainter(): ScreenPainter {
  let shown: { readonly lines: readonly Painted[]; readonly columns: number; readonly rows: number } | null =
    null;
  return {
    frame: (lines, look) => {
      const { columns, rows } = look;
      const next = lines.slice(0, rows).map((line) => painted(line, look));
      const isSame = shown?.columns === columns && shown.rows === rows && shown.lines.length === next.length;
      const before = isSame ? (shown?.lines ?? []) : [];
      const changed = next.flatMap((line, n) =>
        line.text === before[n]?.text ? [] : [lineAt(line, n, columns)],
      );
      if (isSame && changed.length === 0) return null;
      const start = shown === null ? ENTER : isSame ? "" : CLEAR;
      shown = { lines: next, columns, rows };
      return `${BEGIN}${start}${changed.join("")}${END}`;
    },
    leave: () => {
      if (shown === null) return "";
      shown = null;
      return LEAVE;
    },
  };
}

/** A line that fills the width leaves nothing to erase; to erase behind it would take its last character. */
function lineAt({ text, plain }: Painted, n: number, columns: number): string {
  return `${ESC}${n + 1};1H${text}${cells(plain) < columns ? `${ESC}K` : ""}`;
}
