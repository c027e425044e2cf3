import type { EpochMs } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { openTasks } from "../../core/select/open-tasks.ts";
import { progress } from "../../core/select/progress.ts";
import { shortOid, shortRef } from "../../core/select/run-words.ts";
import { dim, type Line, type Span, styled } from "./line.ts";
import { type Look, timeOfDay } from "./run/look.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, cutMiddle, cutPath, pad } from "./width.ts";

/** The runs of a repository, one a line, the latest first. */
export type RunLine = { readonly state: RunState; readonly driver: { readonly pid: number } | null };

const LONGEST_RUN = 28;
const LONGEST_TARGET = 20;
const STARTED = 18;
const LEAST_PLAN = 12;

export function runsTable(runs: readonly RunLine[], look: Look): Line[] {
  const { width, glyphs } = look;
  const rows = runs.map((run) => rowOf(run, look));
  const wide = (texts: readonly string[], head: string) =>
    texts.reduce((most, text) => Math.max(most, cells(text)), cells(head)) + 2;
  const name = wide(
    rows.map((row) => row.run),
    "run",
  );
  const done = wide(
    rows.map((row) => row.done),
    "done",
  );
  const result = wide(
    rows.map((row) => row.result.text),
    "result",
  );
  if (width < 60) {
    return rows.map((row): Line => {
      return [
        row.result.sign,
        ` ${pad(row.run, name)}`,
        pad(row.done, done),
        cutEnd(row.result.text, 20, glyphs.cut),
      ];
    });
  }
  const target = wide(
    rows.map((row) => row.target),
    "target",
  );
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

type Row = {
  readonly run: string;
  readonly started: string;
  readonly done: string;
  readonly result: Result;
  readonly target: string;
  readonly plan: string;
};

function rowOf({ state, driver }: RunLine, { glyphs }: Look): Row {
  const { done, total } = progress(state);
  const target = state.target === null ? "-" : shown(shortRef(state.target), glyphs);
  return {
    run: cutMiddle(state.run, LONGEST_RUN, glyphs.cut),
    started: dayAndMinute(state.startedAt),
    done: `${done} of ${total}`,
    result: resultOf({ state, driver }, glyphs),
    target: cutEnd(target, LONGEST_TARGET, glyphs.cut),
    plan: shown(state.index.plan.source.path, glyphs),
  };
}

type Result = { readonly sign: Span; readonly text: string };

/** How it ended, who drives it, or that nobody does. */
export function resultOf({ state, driver }: RunLine, { states }: Look["glyphs"]): Result {
  if (driver !== null) return { sign: styled("cyan", states.running), text: `driven by ${driver.pid}` };
  const open = openTasks(state).length;
  const text = `${resultText(state)}${open === 0 ? "" : `, ${open} open`}`;
  if (state.ended === null) return { sign: styled("red", states.held), text };
  return state.ended.outcome === "complete"
    ? { sign: styled("green", states.merged), text }
    : { sign: styled("red", states.failed), text };
}

/** `landed as 8d1c3f0`, `not landed`, `cut off`. */
function resultText({ ended, landing, published }: RunState): string {
  if (ended === null) return "cut off";
  const landed = landing.kind === "landed" ? `as ${shortOid(landing.to.commit)}` : null;
  if (landing.kind === "undone") return "taken back";
  if (landed !== null && published.kind === "refused") return "landed, not pushed";
  if (ended.outcome === "complete") return landed === null ? "done" : `landed ${landed}`;
  return landed === null ? OUTCOMES[ended.outcome] : `landed in part ${landed}`;
}

const OUTCOMES = {
  incomplete: "not landed",
  "not-landed": "not landed",
  drained: "drained",
  stopped: "stopped",
  "over-budget": "over budget",
  held: "held",
  "red-base": "red base",
} as const;

/** In the time of whoever looks: `2026-11-15 14:02`. */
export function dayAndMinute(at: EpochMs): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(at).slice(0, 5)}`;
}
