import type { RunState } from "../../../core/run-state.ts";
import type { TaskRow } from "../../../core/select/task-rows.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { formatTaskNote, formatTaskStatus } from "../../../core/select/task-status-text.ts";
import { dollars, elapsed, shortOid } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { dim, type Line } from "../line.ts";
import { shown } from "../visible.ts";
import { cells, cutEnd, cutMiddle, pad, padStart } from "../width.ts";
import { type Look, measureLastColumn, sign } from "./look.ts";

const LONGEST_ID = 24;
/** Without a terminal nobody has asked for hundreds of rows either. */
const MOST_ROWS = 12;

/**
 * What became of each task: all that failed, with the reason; else the slowest, with their commits. `room`: lines that it
 * should take; null is no limit.
 */
export function endTable(state: RunState, rows: readonly TaskRow[], room: number | null, look: Look): Line[] {
  const good = rows.filter(({ actor }) => actor === "done");
  const bad = rows.filter(({ actor }) => actor !== "done").sort((a, b) => rank(a) - rank(b));
  if (bad.length > 0) return badTable(bad, { state, good, room }, look);
  return goodTable(good, room, look);
}

/** What needs a person first, then what is left, then what was skipped. */
const rank = ({ status: { kind: state } }: TaskRow): number => {
  if (state === "failed") return 0;
  if (state === "held") return 1;
  return state === "skipped" || state === "dropped" ? 3 : 2;
};

type Rest = { readonly state: RunState; readonly good: readonly TaskRow[]; readonly room: number | null };

function badTable(bad: readonly TaskRow[], { state, good, room }: Rest, look: Look): Line[] {
  const failures = bad.filter((row) => rank(row) === 0);
  const others = bad.filter((row) => rank(row) !== 0);
  const left = Math.max(0, (room ?? MOST_ROWS + failures.length) - failures.length - 3);
  // One line for those that have no room is worth it only when it stands for several.
  const listed = others.slice(0, others.length <= left + 1 ? others.length : left);
  const hidden = others.slice(listed.length);
  return [
    ...lines([...failures, ...listed], "why", look),
    ...moreLines(hidden, look),
    ...mergedLine(state, good, look),
  ];
}

function goodTable(rows: readonly TaskRow[], room: number | null, look: Look): Line[] {
  const slowest = [...rows].sort((a, b) => b.workMs - a.workMs);
  const space = Math.max(1, Math.min(room ?? MOST_ROWS, room === null ? MOST_ROWS : room - 2));
  const listed = slowest.slice(0, slowest.length <= space + 1 ? slowest.length : space);
  const last = listed.at(-1);
  const more = slowest.length - listed.length;
  const rest: Line[] =
    more === 0 || last === undefined
      ? []
      : [[sign("merged", look.glyphs), ` ${more} more, ${bound(last, slowest[listed.length])}`]];
  return [...lines(listed, "commit", look), ...rest];
}

/** Two that took as long as each other may stand on both sides of the cut. */
function bound(last: TaskRow, next: TaskRow | undefined): string {
  const time = elapsed(last.workMs);
  return time === elapsed(next?.workMs ?? 0) ? `none over ${time}` : `each under ${time}`;
}

function lines(rows: readonly TaskRow[], last: "why" | "commit", look: Look): Line[] {
  return look.width < 60 ? rows.map((row) => narrowLine(row, last, look)) : columns(rows, last, look);
}

const ATTEMPTS = 10;
const TIME = 9;
const COST = 8;

function columns(rows: readonly TaskRow[], last: "why" | "commit", look: Look): Line[] {
  const { glyphs, width } = look;
  const names = rows.map(({ task }) => cutMiddle(task, LONGEST_ID, glyphs.cut));
  const name = Math.max(4, ...names.map(cells)) + 2;
  const agent = Math.min(14, Math.max(5, ...rows.map((row) => cells(agentOf(row))))) + 2;
  const room = measureLastColumn(width - 2 - name - agent - ATTEMPTS - TIME - COST - 2, look);
  const head = `  ${pad("task", name)}${pad("agent", agent)}${figures(["attempts", "time", "cost"])}  ${last}`;
  return [
    [dim(head)],
    ...rows.map((row, n): Line => {
      const hasRun = row.attempts > 0;
      const who = cutEnd(hasRun ? agentOf(row) : "-", agent - 2, glyphs.cut);
      const cost = row.usage.costUsd === null ? "-" : dollars(row.usage.costUsd);
      const told = hasRun ? [String(row.attempts), elapsed(row.workMs), cost] : ["-", "-", "-"];
      return [
        sign(row.status.kind, glyphs),
        ` ${pad(names[n] as string, name)}${pad(who, agent)}${figures(told)}  `,
        cutEnd(endOf(row, last, look), room, glyphs.cut),
      ];
    }),
  ];
}

const figures = ([attempts = "", time = "", cost = ""]: readonly string[]): string =>
  padStart(attempts, ATTEMPTS - 2) + padStart(time, TIME) + padStart(cost, COST);

const agentOf = ({ agent }: TaskRow): string => agent?.use ?? "command";

/** `✗ tax   gate test:tax red, 3 attempts`. */
function narrowLine(row: TaskRow, last: "why" | "commit", look: Look): Line {
  const { glyphs, width } = look;
  const name = cutMiddle(row.task, Math.min(LONGEST_ID, Math.max(8, width - 20)), glyphs.cut);
  const attempts = row.attempts > 1 ? `, ${row.attempts} attempts` : "";
  const figure = last === "commit" ? `${elapsed(row.workMs)}  ` : "";
  const room = width - 5 - cells(name) - cells(attempts);
  const text = cutEnd(figure + endOf(row, last, look), Math.max(4, room), glyphs.cut);
  return [sign(row.status.kind, glyphs), ` ${name}   ${text}${attempts}`];
}

function endOf(row: TaskRow, last: "why" | "commit", { glyphs }: Look): string {
  if (last === "commit") return row.commit === null ? row.status.kind : shortOid(row.commit);
  return shown(
    plainText(row.actor === "you" ? formatTaskNote(row.status) : formatTaskStatus(row.status)),
    glyphs,
  );
}

/** How many of each kind have no row of their own. */
function moreLines(rows: readonly TaskRow[], { glyphs }: Look): Line[] {
  const kinds = new Map<StatusKind, number>();
  for (const {
    status: { kind: state },
  } of rows)
    kinds.set(state, (kinds.get(state) ?? 0) + 1);
  return [...kinds].map(([state, n]): Line => [sign(state, glyphs), ` ${n} more ${state}`]);
}

function mergedLine(state: RunState, good: readonly TaskRow[], { glyphs, width }: Look): Line[] {
  if (good.length === 0 || width < 60) return [];
  const merged = good.filter(({ status }) => status.kind === "merged").length;
  const passed = good.length - merged;
  const isLanded = state.landing.kind === "landed";
  const where = isLanded ? "" : ` on plait/${state.run}/integration`;
  const gates = state.index.plan.gates.length > 0 && merged > 0 ? ", gates green" : "";
  const parts = [
    ...(merged > 0 ? [`${merged} merged${where}${gates}`] : []),
    ...(passed > 0 ? [`${passed} passed`] : []),
  ];
  return [[sign("merged", glyphs), ` ${parts.join(", ")}`]];
}
