import { type Ink, type Line, paintLine, plainText } from "../render/line.ts";
import { asciiText } from "../render/visible.ts";
import { cells } from "../render/width.ts";

export type Size = { readonly columns: number; readonly rows: number };

/** For how large a screen, and with which colours. */
export type PaintLook = Size & { readonly ink: Ink; readonly ascii: boolean };

const ESC = "\u001b[";
const BEGIN = `${ESC}?2026h`;
const END = `${ESC}?2026l`;
const HIDE = `${ESC}?25l`;
const SHOW = `${ESC}?25h`;
const ERASE_LINE = `${ESC}K`;
const ERASE_BELOW = `${ESC}J`;

/**
 * A block of lines at the end of a terminal's text, painted over itself. It remembers what is on the screen and gives
 * the text that turns it into what should be: one piece, between the marks of a synchronized update, so that no terminal
 * shows half of it. The cursor rests, hidden, at the start of the line below the block.
 *
 *   what stays ─ what stays ─ ┌ block ┐ cursor
 *
 * P1 A line of the block never wraps: whoever makes it cuts it to the width. P2 The block is lower than the screen, so
 * its first line can be reached. P3 What stays is written once, above the block, and never touched again.
 */
export function createPainter() {
  let shown: readonly Painted[] = [];
  let columns: number | null = null;
  let isHidden = false;

  /** Back to the first line of the block as it is on the screen now. */
  function home(size: Size): string {
    const isResized = columns !== size.columns;
    const up = isResized
      ? shown.reduce((sum, { plain }) => sum + rowsOf(plain, size.columns), 0)
      : shown.length; // P1
    // The cursor cannot leave the screen; what was scrolled out of it is the terminal's.
    const reachable = Math.min(up, Math.max(0, size.rows - 1));
    return reachable === 0 ? "\r" : `${ESC}${reachable}A\r`;
  }

  return {
    /** The text that shows these lines, and above them those that stay; null when nothing would change. */
    frame: (block: readonly Line[], stay: string, size: PaintLook): string | null => {
      const next = block.map((line) => painted(line, size));
      const isResized = columns !== null && columns !== size.columns;
      const isSame = !isResized && next.length === shown.length;
      if (stay === "" && isSame && next.every((line, n) => line.text === shown[n]?.text)) return null;
      const body =
        stay === "" && isSame
          ? next.map((line, n) => changedLine(line, shown[n], size)).join("")
          : `${ERASE_BELOW}${stay}${next.map(({ text }) => `${text}\n`).join("")}`;
      const text = `${BEGIN}${isHidden ? "" : HIDE}${home(size)}${body}${END}`;
      shown = next;
      columns = size.columns;
      isHidden = true;
      return text;
    },
    /** The text that takes the block away and gives the cursor back; what stays is written first. */
    close: (stay: string, size: Size): string => {
      const text = `${BEGIN}${home(size)}${ERASE_BELOW}${stay}${END}${isHidden ? SHOW : ""}`;
      shown = [];
      isHidden = false;
      return text;
    },
  };
}

/** What is written for a line, and what of it takes room on the screen: blanks at its end too, where they are reversed. */
export type Painted = { readonly text: string; readonly plain: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the end of a style is what this looks for
const CODE_LAST = /\u001b\[\d+m$/;

export function painted(line: Line, { ink, ascii }: PaintLook): Painted {
  const own = paintLine(line, ink);
  const plain = plainText(line);
  // The codes of a style stand behind blanks that belong to it.
  const seen = CODE_LAST.test(own.slice(-6)) ? plain : plain.trimEnd();
  return ascii ? { text: asciiText(own), plain: asciiText(seen) } : { text: own, plain: seen };
}

/** A line that fills the width leaves nothing to erase; to erase behind it would take its last character. */
function changedLine(line: Painted, before: Painted | undefined, { columns }: Size): string {
  if (line.text === before?.text) return "\n";
  return `${line.text}${cells(line.plain) < columns ? ERASE_LINE : ""}\n`;
}

/**
 * How many rows a line takes. More than one only after the terminal became narrower: then most wrap what was on the
 * screen (VTE, kitty, iTerm2, Windows Terminal, xterm.js, tmux), and those that cut it off instead (xterm) lose a few
 * rows of what stays from the screen.
 */
function rowsOf(plain: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const char of plain) {
    const size = cells(char);
    if (used + size > columns) {
      rows += 1;
      used = 0;
    }
    used += size;
  }
  return rows;
}

const ENTER = `${ESC}?1049h${ESC}?25l${ESC}2J`;
const CLEAR = `${ESC}2J`;
/** Wiped first: tmux takes lines that became wider than the other screen was for some of its history, and they would stay. */
const LEAVE = `${CLEAR}${ESC}?1049l`;

/**
 * A screen of its own, painted over itself: the terminal keeps the other one, with all that stays there, until this one is left.
 * As in the block, a frame is one piece between the marks of a synchronized update, and has only the lines that changed.
 */
export function createScreenPainter() {
  let shown: { readonly lines: readonly Painted[]; readonly columns: number; readonly rows: number } | null =
    null;
  return {
    /** The text that shows these lines, as many as the screen has; null when nothing would change. */
    frame: (lines: readonly Line[], look: PaintLook): string | null => {
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
    /** The text that gives the other screen back; empty where this one is not shown. */
    leave: (): string => {
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
