import type { EpochMs } from "../../../core/facts.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import { dollars } from "../../../core/text/figures.ts";
import { bold, dim, type Line, plainText, reversed, type Span } from "../line.ts";
import { cutLine, firstFitting, type Look, sign, spread } from "../run/look.ts";
import { timeOf } from "../run/rows.ts";
import { shown } from "../visible.ts";
import { cells, pad } from "../width.ts";
import { type Body, TABS, type Tab } from "./body.ts";

/** A task on a whole screen: what it is, what is seen of it, and what can be pressed. */
export type TaskScreen = {
  readonly row: TaskRow;
  readonly now: EpochMs;
  /** The attempt that is seen, of so many. */
  readonly n: number;
  readonly tab: Tab;
  readonly body: Body;
  readonly top: number;
  /** In place of its state: the figures of a diff. */
  readonly figures: string | null;
  readonly find: string | null;
  /** A question, an answer, what is being typed; null is the line of keys. */
  readonly foot: readonly Line[] | null;
  /** Where in the text this is: `end`, `62%`, `file 1 of 7`. */
  readonly position: string;
};

export type ScreenLook = Look & { readonly height: number };

const NARROW = 60;
/** Below this height there are no rules, and below that one no tabs. */
const LOW = 8;
const LOWEST = 5;

/** Lines that are left for the text itself. */
export function bodyHeight({ height }: Pick<ScreenLook, "height">, foot: readonly Line[] | null): number {
  const { rules, tabs } = roomFor(height, foot);
  return Math.max(1, height - 1 - tabs - rules - Math.max(1, foot?.length ?? 1));
}

/** What is asked comes before what parts the screen. */
function roomFor(height: number, foot: readonly Line[] | null) {
  const left = height - Math.max(0, (foot?.length ?? 1) - 1);
  return { rules: left >= LOW ? 2 : 0, tabs: left >= LOWEST ? 1 : 0 };
}

/** As many lines as the screen has. */
export function taskScreen(view: TaskScreen, look: ScreenLook): Line[] {
  const heads = [headLine(view, look), tabLine(view, look)] as const;
  const foot = view.foot ?? [spread([dim(keyText(view, look))], [dim(view.position)], look)];
  return framed({ ...view, heads, foot }, look);
}

export type Framed = Pick<TaskScreen, "body" | "top" | "find"> & {
  readonly heads: readonly [Line, Line];
  readonly foot: readonly Line[];
};

export function framed({ heads, body, top, find, foot }: Framed, look: ScreenLook): Line[] {
  const { height, width, glyphs } = look;
  const room = bodyHeight(look, foot);
  const seen = body.lines
    .slice(top, top + room)
    .map((line) => (find === null ? line : highlighted(line, find)));
  const { rules, tabs } = roomFor(height, foot);
  const rule: Line[] = rules > 0 ? [[dim(glyphs.barThin.repeat(width))]] : [];
  const empty: Line[] = Array.from({ length: room - seen.length }, () => []);
  const lines = [...(tabs > 0 ? heads : heads.slice(0, 1)), ...rule, ...seen, ...empty, ...rule, ...foot];
  return lines.slice(0, height).map((line) => cutLine(line, look));
}

/** `✗ tax  Tax calculation by region          failed 18:00  $1.14`. */
function headLine({ row, now, n, figures }: TaskScreen, look: ScreenLook): Line {
  const { glyphs, width } = look;
  const isNarrow = width < NARROW;
  const cost = row.usage.costUsd === null || isNarrow ? "" : `  ${dollars(row.usage.costUsd)}`;
  const word: Span = { ...(sign(row.status.kind, glyphs) as Exclude<Span, string>), text: row.status.kind };
  const right: Line = figures === null ? [word, ` ${timeOf(row, now)}${cost}`] : [figures];
  const number = isNarrow && n > 1 ? ` #${n}` : "";
  const title = isNarrow || row.title === row.task ? "" : `  ${shown(row.title, glyphs)}`;
  return spread([sign(row.status.kind, glyphs), " ", bold(row.task), number, dim(title)], right, look);
}

/** `[log]  diff  gates  prompt          attempt 1 2 [3]  gemini 2.5-pro`. */
function tabLine({ row, n, tab }: TaskScreen, look: ScreenLook): Line {
  const isNarrow = look.width < NARROW;
  const tabs = TABS.flatMap((one, i): Line => {
    const gap = i === 0 ? "" : isNarrow ? " " : "  ";
    return [gap, one === tab ? bold(`[${one}]`) : dim(one)];
  });
  if (isNarrow) return tabs;
  const { agent, attempts } = row;
  const who = agent === null ? "command" : [agent.use, agent.model].filter(Boolean).join(" ");
  const last = dim(`  ${tab === "diff" ? "against base" : shown(who, look.glyphs)}`);
  return spread(tabs, [...attemptSpans(n, attempts), last], look);
}

const MOST_LISTED = 9;

function attemptSpans(n: number, attempts: number): Line {
  if (attempts === 0) return [dim("no attempt yet")];
  if (attempts > MOST_LISTED) return [dim("attempt "), bold(`[${n}]`), dim(` of ${attempts}`)];
  const numbers = Array.from({ length: attempts }, (_, i) => i + 1);
  return [
    dim("attempt"),
    ...numbers.flatMap((one): Line => [" ", one === n ? bold(`[${one}]`) : dim(String(one))]),
  ];
}

/** What can be pressed here; what is not in the line is in the list of keys. */
function keyText({ tab, row, find }: TaskScreen, { width }: ScreenLook): string {
  const next = TABS[(TABS.indexOf(tab) + 1) % TABS.length];
  if (width < NARROW) {
    const own = tab === "diff" ? "n p file" : "[ ]  / find";
    return ["esc", "tab", own, ...(row.status.kind === "failed" ? ["r retry"] : [])].join("  ");
  }
  if (find !== null) return "esc clear  n N hit  / find";
  const own = tab === "diff" ? ["n p file", "{ } hunk", "w wrap"] : ["[ ] attempt", "/ find"];
  const wishes =
    row.actor === "you" ? [row.status.kind === "held" ? "a approve" : "r retry", "o worktree"] : [];
  const least = ["esc back", `tab ${next}`, ...own];
  const variants = [[...least, ...wishes, "? keys"], [...least, ...wishes], least].map((keys) => [
    keys.join("  "),
  ]);
  return plainText(firstFitting(variants, width - 14));
}

/** Every place of a line where the text stands, in reverse video. */
function highlighted(line: Line, find: string): Line {
  const wanted = find.toLowerCase();
  return line.flatMap((span): Span[] => {
    const { text, ...rest } = typeof span === "string" ? { text: span } : span;
    const parts: Span[] = [];
    let from = 0;
    for (let at = indexIn(text, wanted, 0); at !== -1; at = indexIn(text, wanted, from)) {
      parts.push({ ...rest, text: text.slice(from, at) });
      parts.push(...reversed([{ ...rest, text: text.slice(at, at + wanted.length) }]));
      from = at + wanted.length;
    }
    return [...parts, { ...rest, text: text.slice(from) }];
  });
}

/** Case does not count; where lower case has another length the places would not fit, so there it does. */
function indexIn(text: string, wanted: string, from: number): number {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).indexOf(wanted, from);
}

/** Lines that have it. */
export function hitsIn({ lines }: Body, find: string): number[] {
  if (find === "") return [];
  const wanted = find.toLowerCase();
  return lines.flatMap((line, n) => (indexIn(plainText(line), wanted, 0) === -1 ? [] : [n]));
}

/** `> half-cent_`, while it is typed. */
export function findLine(text: string, hits: number, look: Look): Line {
  const says = text === "" ? "" : hits === 0 ? "nothing found" : `${hits} line${hits === 1 ? "" : "s"}`;
  const room = look.width - cells(says) - 2;
  return [pad(`/${shown(text, look.glyphs)}_`, Math.max(0, room)), dim(says)];
}
