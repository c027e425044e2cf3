import type { NextCommand } from "../../core/select/next-commands.ts";
import type { Glyphs } from "./glyphs.ts";
import { dim, type Line, typed } from "./line.ts";
import { shown } from "./visible.ts";
import { cells, pad, wrapWords } from "./width.ts";

type NextLook = {
  readonly width: number;
  readonly glyphs: Glyphs;
  /** How wide the column is that `next` stands in. */
  readonly label?: number;
};

/** Below it, there is room for commands alone. */
const NARROW = 60;
const GAP = 3;

/**
 * Commands stand on one line each, however narrow the terminal, so that they can be copied. What they do stands beside them, and
 * below those that are too long for that, such as the ones with a long name of a run.
 */
export function nextLines(commands: readonly NextCommand[], { width, glyphs, label = 6 }: NextLook): Line[] {
  const column = sayColumn(commands, width - label);
  return commands.flatMap(({ command, says }, n): Line[] => {
    const text = shown(command, glyphs);
    const head = dim(pad(n === 0 ? "next" : "", label));
    if (cells(command) <= column) return [[head, typed(pad(text, column)), dim(" ".repeat(GAP) + says)]];
    const below = width < NARROW ? [] : wrapWords(says, width - label - GAP);
    return [[head, typed(text)], ...below.map((line): Line => [" ".repeat(label + GAP), dim(line)])];
  });
}

/** The widest that leaves room for what is said beside it, of each command that is not longer. */
function sayColumn(commands: readonly NextCommand[], room: number): number {
  const fits = (column: number) =>
    commands.every(({ command, says }) => cells(command) > column || column + GAP + cells(says) <= room);
  return Math.max(0, ...commands.map(({ command }) => cells(command)).filter(fits));
}
