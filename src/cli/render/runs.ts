import type { EpochMs } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { runSummary } from "../../core/select/overview.ts";
import { findRunStatus } from "../../core/select/run-status.ts";
import { findRunSign, formatRunStatus } from "../../core/select/run-status-text.ts";
import { openTasks } from "../../core/select/task-lists.ts";
import { shortRef } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import { dayAndMinute, localTime } from "../../report/local-times.ts";
import { dim, type Line, type Span } from "./line.ts";
import { type Look, sign } from "./run/look.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, cutMiddle, cutPath, pad } from "./width.ts";

/** The runs of a repository, one a line, the latest first. */
export type RunLine = { readonly state: RunState; readonly driver: { readonly pid: number } | null };

const LONGEST_RUN = 28;
const LONGEST_TARGET = 20;
const STARTED = 18;
const LEAST_PLAN = 12;

export function runsTable(runs: readonly RunLine[], now: EpochMs, look: Look): Line[] {
  const { width, glyphs } = look;
  const rows = runs.map((run) => rowOf(run, now, look));
  const wide = (head: string, textOf: (row: Row) => string) =>
    rows.reduce((most, row) => Math.max(most, cells(textOf(row))), cells(head)) + 2;
  const name = wide("run", ({ run }) => run);
  const done = wide("done", (row) => row.done);
  const result = wide("result", (row) => row.result.text);
  if (width < 60) {
    return rows.map(({ run, done: merged, result: { sign: glyph, text } }): Line => {
      return [glyph, ` ${pad(run, name)}`, pad(merged, done), cutEnd(text, 20, glyphs.cut)];
    });
  }
  const target = wide("target", (row) => row.target);
  const plan = width - 2 - name - STARTED - done - result - target;
  const planHead = plan < LEAST_PLAN ? "" : pad("plan", plan);
  const head = `  ${pad("run", name)}${pad("started", STARTED)}${pad("done", done)}${pad("result", result)}`;
  return [
    [dim(`${head}${pad("target", target)}${planHead}`)],
    ...rows.map((row): Line => {
      const path = plan < LEAST_PLAN ? "" : cutPath(row.plan, plan, glyphs.cut);
      return [
        row.result.sign,
        ` ${pad(row.run, name)}${pad(row.started, STARTED)}${pad(row.done, done)}`,
        `${pad(row.result.text, result)}${pad(row.target, target)}`,
        dim(path),
      ];
    }),
  ];
}

type Row = ReturnType<typeof rowOf>;

function rowOf(run: RunLine, now: EpochMs, { glyphs }: Look) {
  const { state, driver } = run;
  const { done, total, plan, startedAt } = runSummary(state, now, driver !== null);
  const target = state.target === null ? "-" : shown(shortRef(state.target), glyphs);
  return {
    run: cutMiddle(state.run, LONGEST_RUN, glyphs.cut),
    started: dayAndMinute(startedAt),
    done: `${done} of ${total}`,
    result: resultOf(run, now, { glyphs }),
    target: cutEnd(target, LONGEST_TARGET, glyphs.cut),
    plan: shown(plan.path, glyphs),
  };
}

type Result = { readonly sign: Span; readonly text: string };

/** Its status; `isBranchShown`: the branch stands in a column of its own. */
export function resultOf(
  { state, driver }: RunLine,
  now: EpochMs,
  { glyphs, isBranchShown = true }: Pick<Look, "glyphs"> & { readonly isBranchShown?: boolean },
): Result {
  const status = findRunStatus(state, driver === null ? state.clock : now, driver !== null);
  const open = openTasks(state).length;
  const text = plainText(formatRunStatus(status, { isBranchShown }), localTime(now));
  return {
    sign: sign(findRunSign(status), glyphs),
    text: `${shown(text, glyphs)}${open === 0 ? "" : `, ${open} open`}`,
  };
}
