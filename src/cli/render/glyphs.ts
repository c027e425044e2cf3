import type { StatusKind } from "../../core/select/task-status.ts";

/** The signs that output is made of: in Unicode, and for terminals and locales that cannot show them. */
export type Glyphs = {
  readonly ascii: boolean;
  /** Stands for what was cut off. */
  readonly cut: string;
  /** Between line numbers and code. */
  readonly rail: string;
  /** Bars of a chart: two kinds that tell neighbours apart, and one for what is not on the critical path. */
  readonly bar: string;
  readonly barOther: string;
  readonly barThin: string;
  /** Slots in use, from few to all. */
  readonly levels: readonly string[];
  /** In front of tasks on the critical path. */
  readonly critical: string;
  /** The part of a bar that failed. */
  readonly barFailed: string;
  /** One for each state of a task; `running` and `fixing` are the still ones of `spinner`. */
  readonly states: { readonly [S in StatusKind]: string };
  /** What turns while an agent works; one sign where nothing turns. */
  readonly spinner: readonly string[];
  readonly warning: string;
  /** The keys that go up and down. */
  readonly upDown: string;
};

/** States that share a sign are told apart by their word. */
type StateSigns = {
  readonly [S in "waiting" | "running" | "checking" | "queued" | "merging" | "retrying" | "paused"]: string;
} & { readonly [S in "held" | "merged" | "failed" | "skipped"]: string };

function statesOf(signs: StateSigns): Glyphs["states"] {
  return {
    ...signs,
    fixing: signs.running,
    preparing: signs.checking,
    saving: signs.checking,
    passed: signs.merged,
    dropped: signs.skipped,
    stopped: signs.waiting,
    interrupted: signs.held,
  };
}

const unicode: Glyphs = {
  ascii: false,
  critical: "*",
  cut: "…",
  rail: "│",
  bar: "━",
  barOther: "╍",
  barThin: "─",
  levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
  barFailed: "┅",
  // All are neutral or narrow by East Asian Width: no terminal gives them two cells.
  states: statesOf({
    waiting: "◦",
    running: "▸",
    checking: "◊",
    queued: "⋯",
    merging: "⇉",
    retrying: "↻",
    paused: "◔",
    held: "!",
    merged: "✓",
    failed: "✗",
    skipped: "∅",
  }),
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
  warning: "!",
  upDown: "↑↓",
};

const ascii: Glyphs = {
  ascii: true,
  critical: "*",
  cut: "...",
  rail: "|",
  bar: "#",
  barOther: "=",
  barThin: "-",
  levels: [],
  barFailed: "x",
  states: statesOf({
    waiting: ".",
    running: ">",
    checking: "?",
    queued: "=",
    merging: "&",
    retrying: "~",
    paused: "z",
    held: "!",
    merged: "+",
    failed: "x",
    skipped: "-",
  }),
  spinner: [">"],
  warning: "!",
  upDown: "jk",
};

export const glyphs: { readonly unicode: Glyphs; readonly ascii: Glyphs } = { unicode, ascii };
