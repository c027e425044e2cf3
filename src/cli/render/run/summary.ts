import type { TaskId } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { accessWords, type Forecast } from "../../../core/select/forecast.ts";
import { findLandingBranch } from "../../../core/select/landing-text.ts";
import type { Overview } from "../../../core/select/overview.ts";
import { progress } from "../../../core/select/progress.ts";
import { criticalPath } from "../../../core/select/totals.ts";
import { count, dollars, duration, elapsed, shortOid, tokenCount } from "../../../core/text/figures.ts";
import { hourAndMinute } from "../../../report/local-times.ts";
import { bold, dim, type Line, plainText, type Span, styled } from "../line.ts";
import { names } from "../table.ts";
import { shown } from "../visible.ts";
import { cells, cutPath } from "../width.ts";
import { firstFitting, type Look, spread } from "./look.ts";

/** The figures at the top of the block: never dropped, whatever the height. */

/** Run, plan, target, access; slots and time. */
export function headLine({ state, progress: { slots }, times: { wallMs } }: Overview, look: Look): Line {
  const { glyphs, width } = look;
  const gap = width >= 100 ? "   " : "  ";
  const right: Line = [dim(`${slots.used} of ${slots.of} slots${gap}`), bold(elapsed(wallMs))];
  const room = width - cells(plainText(right)) - 1;
  const run = bold(state.run);
  const access = accessWords(state);
  const onto = targetWords(state);
  const { format, path: file } = state.index.plan.source;
  const path = format === "prompts" ? "" : shown(file, glyphs);
  const short = `${onto}, ${access.short}`;
  // A path of which nothing but the mark is left tells nobody anything.
  const pathRoom = room - cells(`${state.run}   ${short}`);
  const variants: Line[] = [
    [run, dim(`  ${path}${path === "" ? "" : " "}${onto}, ${access.long}`)],
    ...(pathRoom < 12 || path === ""
      ? []
      : [[run, dim(`  ${cutPath(path, pathRoom, glyphs.cut)} ${short}`)]]),
    [run, dim(`  ${short}`)],
    [run, dim(`  ${access.short}`)],
    [run],
  ];
  return spread(firstFitting(variants, room), right, look);
}

/** `onto main`: where the run landed, or will. */
function targetWords(state: RunState): string {
  if (state.workFolder !== null) return "without a repository";
  const branch = findLandingBranch(state);
  return branch === null ? "without a branch to land on" : `onto ${branch}`;
}

export function barLine(summary: Overview, look: Look): Line {
  const { progress: figures } = summary;
  const figure = `${figures.done} of ${figures.total}`;
  const label = " done";
  return [...bar(summary, look.width - cells(figure + label) - 2, look), "  ", bold(figure), label];
}

/** Done, moving by itself, stuck, and the rest, by their share. What is there at all has a cell. */
export function bar({ actors }: Pick<Overview, "actors">, width: number, { glyphs }: Look): Line {
  if (width <= 0) return [];
  const parts = [actors.done, actors.agents + actors.plait + actors.clock, actors.you, actors.later];
  const sizes = shares(parts, width);
  const signs = [
    ["green", glyphs.bar],
    ["cyan", glyphs.barOther],
    ["red", glyphs.barFailed],
    ["dim", glyphs.barThin],
  ] as const;
  return signs.map(([style, glyph], part): Span => styled(style, glyph.repeat(sizes[part] as number)));
}

function shares(parts: readonly number[], width: number): number[] {
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum === 0) return [0, 0, 0, width];
  const sizes = parts.map((part) => (part === 0 ? 0 : Math.max(1, Math.round((part / sum) * width))));
  // Rounding leaves a few cells too many or too few: the largest part takes the difference.
  const largest = sizes.indexOf(Math.max(...sizes));
  const over = sizes.reduce((total, size) => total + size, 0) - width;
  return sizes.map((size, part) => (part === largest ? Math.max(0, size - over) : size));
}

/** When it will be ready and by what; what it cost. */
export function progressLine(summary: Overview, look: Look): Line {
  const right = costLine(summary, look);
  const room = look.width - cells(plainText(right)) - 2;
  return spread(readyLine(summary, { ...look, width: room }), right, look);
}

function readyLine({ state, forecast: expected }: Overview, { width, glyphs }: Look): Line {
  if (expected === null) {
    const path = pathOf(state);
    const text = names(path, width - cells("critical path "), glyphs);
    return path.length < 2 || width < 30 ? [] : [dim("critical path "), text];
  }
  const [word = "", ...time] = aboutText(expected).split(" ");
  const when: Line = [`ready ${word} `, bold(time.join(" "))];
  const left = ` in ${duration(expected.leftMs)}`;
  const room = width - cells(plainText(when)) - cells(`${left}, by `);
  const by = expected.by.length === 0 ? "the number of slots" : names(expected.by, room, glyphs);
  return firstFitting([[...when, dim(`${left}, by `), by], [...when, dim(left)], when], width);
}

/** Asked for in every frame, and another one only after a fact. */
const paths = new WeakMap<RunState, readonly TaskId[]>();

function pathOf(state: RunState): readonly TaskId[] {
  const path = paths.get(state) ?? criticalPath(state);
  paths.set(state, path);
  return path;
}

/** A forecast for tomorrow needs more than a time of day. */
export function aboutText({ readyAt, leftMs }: Forecast): string {
  return leftMs < 20 * 3_600_000 ? `about ${hourAndMinute(readyAt)}` : `in about ${duration(leftMs)}`;
}

function costLine(
  { spending: { usd, tokens, expectedUsd }, progress: { budgetUsd } }: Overview,
  { width }: Look,
): Line {
  const [figure, budget] = spentParts(usd, budgetUsd, { isShort: width < 100 }) ?? ["", ""];
  const spent: Line = [bold(figure), budget];
  if (width < 80 || tokens === null) return spent;
  const gap = (blanks: string) => (figure === "" ? "" : blanks);
  if (width < 100) return [...spent, dim(`${gap("   ")}${tokenCount(tokens)} tok`)];
  const expected = expectedUsd === null ? "" : `, about ${dollars(expectedUsd)} at the end`;
  return [...spent, dim(`${expected}${gap("    ")}${tokenCount(tokens)} tokens`)];
}

/** `$20.18 of $40.00`; `-` where no agent has told what it cost. Null where there is nothing to tell. */
export function budgetText(
  usd: number | null,
  budgetUsd: number | null,
  look: BudgetLook = {},
): string | null {
  return spentParts(usd, budgetUsd, look)?.join("") ?? null;
}

/** A short one has no cents where there are none: `$40`. */
type BudgetLook = { readonly isShort?: boolean };

function spentParts(
  usd: number | null,
  budgetUsd: number | null,
  { isShort = false }: BudgetLook,
): readonly [spent: string, budget: string] | null {
  const spent = usd === null ? null : dollars(usd);
  if (budgetUsd === null) return spent === null ? null : [spent, ""];
  const budget = isShort && Number.isInteger(budgetUsd) ? `$${budgetUsd}` : dollars(budgetUsd);
  return [spent ?? "-", ` of ${budget}`];
}

/** The first line of a log: `plait 1.0.0  run checkout-k7f2  24 tasks  base a41f9c2  onto main  full access`. */
export function plainHead(state: RunState, version: string): Line {
  const { total } = progress(state);
  const parts = [
    `plait ${version}`,
    `run ${state.run}`,
    count(total, "task"),
    ...(state.workFolder === null ? [`base ${shortOid(state.base.commit)}`] : []),
    targetWords(state),
    accessWords(state).short,
  ];
  return [parts.join("  ")];
}
