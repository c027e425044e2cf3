import { formatCommand, type NextStep } from "../../core/text/command.ts";
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
 * Commands stand on one line each, however narrow the terminal, so that they can be copied. Their purpose stands beside them, and below
 * those that are too long for that, such as the ones with a long name of a run.
 */
export function nextLines(steps: readonly NextStep[], { width, glyphs, label = 6 }: NextLook): Line[] {
  const typedSteps = steps.map(({ command, purpose }) => ({ command: formatCommand(command), purpose }));
  const column = measureCommands(typedSteps, width - label);
  return typedSteps.flatMap(({ command, purpose }, n): Line[] => {
    const text = shown(command, glyphs);
    const head = dim(pad(n === 0 ? "next" : "", label));
    if (cells(command) <= column) return [[head, typed(pad(text, column)), dim(" ".repeat(GAP) + purpose)]];
    const below = width < NARROW ? [] : wrapWords(purpose, width - label - GAP);
    return [[head, typed(text)], ...below.map((line): Line => [" ".repeat(label + GAP), dim(line)])];
  });
}

type TypedStep = { readonly command: string; readonly purpose: string };

/** The widest column that leaves room for the purpose beside each command that is not longer. */
function measureCommands(steps: readonly TypedStep[], room: number): number {
  const fits = (column: number) =>
    steps.every(({ command, purpose }) => cells(command) > column || column + GAP + cells(purpose) <= room);
  return Math.max(0, ...steps.map(({ command }) => cells(command)).filter(fits));
}
