import type { ActorGroups } from "../../../core/select/actor-text.ts";
import { formatNeedName, type Need } from "../../../core/select/needs.ts";
import type { Overview } from "../../../core/select/overview.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { type Line, plainText, type Span } from "../line.ts";
import { names } from "../table.ts";
import { cells } from "../width.ts";
import { cutLine, type Look, sign } from "./look.ts";
import { isSelected, laterLine, type RowLook, taskLine, timeOf } from "./rows.ts";

/** All that a block is drawn from: each group in full, or as one line where there is no room. */
export type Block = {
  readonly summary: Overview;
  readonly groups: ActorGroups;
  readonly look: RowLook;
  /** Lines at most. */
  readonly room: number;
};

/** In the order in which they are drawn: what the keys walk along. */
export function rowsInOrder({ agents, plait, clock, you, later }: ActorGroups): readonly TaskRow[] {
  return [...agents, ...plait, ...clock, ...you, ...later];
}

/** A group without room for its rows: how many of each kind; the selected one has its row all the same. */
export function counted(
  name: Exclude<keyof ActorGroups, "agents">,
  { summary, groups, look }: Pick<Block, "summary" | "groups" | "look">,
): Line[] {
  const rows = groups[name];
  const others = rows.filter((row) => !isSelected(row, look));
  const selected = rows.filter((row) => isSelected(row, look));
  const counts =
    name === "you"
      ? needYouLine(
          summary.needs.filter(({ task }) => task !== look.selected),
          look.columns.gutter,
          look,
        )
      : countLine(others, look, name === "later");
  return [...groupLines(name, selected, look), ...counts];
}

/** The first so many; the selected one is among them, wherever it stands. */
export function withSelected(rows: readonly TaskRow[], most: number, look: RowLook): readonly TaskRow[] {
  const chosen = rows.findIndex((row) => isSelected(row, look));
  if (chosen < Math.max(0, most)) return rows.slice(0, Math.max(0, most));
  return [...rows.slice(0, Math.max(0, most - 1)), rows[chosen] as TaskRow];
}

export function groupLines(name: keyof ActorGroups, rows: readonly TaskRow[], look: RowLook): Line[] {
  const line = name === "later" ? laterLine : taskLine;
  return rows.map((row, n) => line(row, n === 0 ? name : "", look));
}

/** ` ⇉ 1 merging   ⋯ 4 queued`; where they are named, ` ◦ 2 waiting: e2e, release-check   ∅ 1 skipped: invoices`. */
function countLine(rows: readonly TaskRow[], look: RowLook, isNamed: boolean): Line[] {
  if (rows.length === 0) return [];
  const kinds = byState(rows);
  const room = Math.floor((look.width - look.columns.gutter) / kinds.length) - 3;
  const parts = kinds.map(([state, ids]): Line => {
    const head = ` ${ids.length} ${state}`;
    const named = isNamed ? [": ", names(ids, room - cells(head) - 3, look.glyphs)] : [];
    return [sign(state, look.glyphs), head, ...named];
  });
  return [cutLine([" ".repeat(look.columns.gutter), ...joined(parts)], look)];
}

/** ` ✗ 2 need you: tax, budget`. */
export function needYouLine(needs: readonly Need[], gutter: number, look: Look): Line[] {
  if (needs.length === 0) return [];
  const head = ` ${needs.length} ${needs.length === 1 ? "needs" : "need"} you: `;
  const room = look.width - gutter - 1 - cells(head);
  const isFailed = needs.some(({ kind }) => kind === "failed" || kind === "conflict");
  const glyph = sign(isFailed ? "failed" : "held", look.glyphs);
  const named = names(needs.map(formatNeedName), room, look.glyphs);
  return [cutLine([" ".repeat(gutter), glyph, head, named], look)];
}

/** `⇉ inventory   ⋯ audit-log`: as many as fit, then how many more. */
export function oneLine(rows: readonly TaskRow[], look: RowLook): Line[] {
  if (rows.length === 0) return [];
  const parts = rows.map((row): Line => {
    const time = row.until === null ? "" : ` ${timeOf(row, look.now)}`;
    return [sign(row.status.kind, look.glyphs, look.frame), ` ${row.task}${time}`];
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

function byState(rows: readonly TaskRow[]): [StatusKind, TaskRow["task"][]][] {
  const found = new Map<StatusKind, TaskRow["task"][]>();
  for (const { status, task } of rows) {
    const ids = found.get(status.kind) ?? [];
    ids.push(task);
    found.set(status.kind, ids);
  }
  return [...found];
}

const joined = (parts: readonly Line[]): Span[] =>
  parts.flatMap((part, n) => (n === 0 ? [...part] : ["   ", ...part]));
