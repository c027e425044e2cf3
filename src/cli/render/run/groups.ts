import type { Overview } from "../../../core/select/overview.ts";
import { count } from "../../../core/select/preview/words.ts";
import type { Ball, ShownState, TaskRow } from "../../../core/select/task-rows.ts";
import { type Line, plainText, type Span } from "../line.ts";
import { names } from "../table.ts";
import { cells } from "../width.ts";
import { cutLine, type Look, sign, stateWords } from "./look.ts";
import { laterLine, type RowLook, taskLine, timeOf } from "./rows.ts";

/** Rows by who has the ball, each group in full, or as one line where there is no room. */
export type Groups = { readonly [B in Exclude<Ball, "done">]: readonly TaskRow[] };

/** All that a block is drawn from. */
export type Block = {
  readonly summary: Overview;
  readonly groups: Groups;
  readonly look: RowLook;
  /** Lines at most. */
  readonly room: number;
};

export function groupRows(rows: readonly TaskRow[]): Groups {
  const of = (ball: Ball) => rows.filter((row) => row.ball === ball);
  return {
    agents: of("agents").sort(byImportance),
    plait: of("plait").sort((a, b) => rank(PLAIT, a) - rank(PLAIT, b) || (a.turn ?? 0) - (b.turn ?? 0)),
    clock: of("clock").sort((a, b) => (a.until ?? 0) - (b.until ?? 0)),
    you: of("you").sort((a, b) => rank(YOU, a) - rank(YOU, b)),
    later: of("later").sort((a, b) => rank(LATER, a) - rank(LATER, b) || criticalFirst(a, b)),
  };
}

const PLAIT: readonly ShownState[] = ["merging", "queued", "gating", "saving", "preparing"];
const YOU: readonly ShownState[] = ["held", "failed"];
const LATER: readonly ShownState[] = ["cut-off", "stopped", "waiting", "skipped", "cancelled"];

const rank = (order: readonly ShownState[], { shown }: TaskRow): number => order.indexOf(shown);

const criticalFirst = (a: TaskRow, b: TaskRow): number => Number(b.isCritical) - Number(a.isCritical);

/** What decides the end first, then what has run longest: a new one comes below and moves nobody. */
const byImportance = (a: TaskRow, b: TaskRow): number =>
  criticalFirst(a, b) || (b.lastsMs ?? 0) - (a.lastsMs ?? 0);

export function groupLines(name: keyof Groups, rows: readonly TaskRow[], look: RowLook): Line[] {
  const line = name === "later" ? laterLine : taskLine;
  return rows.map((row, n) => line(row, n === 0 ? name : "", look));
}

/** ` ◦ 2 waiting: e2e, release-check   ∅ 1 skipped: invoices`. */
export function namedCounts(rows: readonly TaskRow[], look: RowLook): Line[] {
  if (rows.length === 0) return [];
  const kinds = byState(rows);
  const room = Math.floor((look.width - look.columns.gutter) / kinds.length) - 3;
  const parts = kinds.map(([state, ids]): Line => {
    const head = ` ${ids.length} ${stateWords[state]}: `;
    return [sign(state, look.glyphs), head, names(ids, room - cells(head) - 1, look.glyphs)];
  });
  return [cutLine([" ".repeat(look.columns.gutter), ...joined(parts)], look)];
}

/** ` ⇉ 1 merging   ⋯ 4 queued   ◊ 2 gating`. */
export function plainCounts(rows: readonly TaskRow[], look: RowLook): Line[] {
  if (rows.length === 0) return [];
  const parts = byState(rows).map(([state, ids]): Line => {
    return [sign(state, look.glyphs), ` ${ids.length} ${stateWords[state]}`];
  });
  return [cutLine([" ".repeat(look.columns.gutter), ...joined(parts)], look)];
}

/** ` ✗ 2 need you: tax, promo`. */
export function needYouLine(rows: readonly TaskRow[], gutter: number, look: Look): Line[] {
  const [first] = rows;
  if (first === undefined) return [];
  const head = ` ${count(rows.length, "task").replace(/ tasks?$/, "")} need${rows.length === 1 ? "s" : ""} you: `;
  const ids = rows.map(({ task }) => task);
  const room = look.width - gutter - 1 - cells(head);
  return [
    cutLine([" ".repeat(gutter), sign(first.shown, look.glyphs), head, names(ids, room, look.glyphs)], look),
  ];
}

/** `⇉ inventory   ⋯ audit-log`: as many as fit, then how many more. */
export function oneLine(rows: readonly TaskRow[], look: RowLook): Line[] {
  if (rows.length === 0) return [];
  const parts = rows.map((row): Line => {
    const time = row.until === null ? "" : ` ${timeOf(row, look.now)}`;
    return [sign(row.shown, look.glyphs, look.frame), ` ${row.task}${time}`];
  });
  const taken: Line[] = [];
  let used = 0;
  for (const part of parts) {
    const left = parts.length - taken.length;
    const size = cells(plainText(part)) + (taken.length === 0 ? 0 : 3);
    if (used + size + (left > 1 ? 6 : 0) > look.width && taken.length > 0) break;
    taken.push(part);
    used += size;
  }
  const more = parts.length - taken.length;
  return [cutLine([...joined(taken), more > 0 ? `  +${more}` : ""], look)];
}

function byState(rows: readonly TaskRow[]): [ShownState, TaskRow["task"][]][] {
  const found = new Map<ShownState, TaskRow["task"][]>();
  for (const { shown, task } of rows) {
    const ids = found.get(shown) ?? [];
    ids.push(task);
    found.set(shown, ids);
  }
  return [...found];
}

const joined = (parts: readonly Line[]): Span[] =>
  parts.flatMap((part, n) => (n === 0 ? [...part] : ["   ", ...part]));
