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
};

const unicode: Glyphs = {
  ascii: false,
  critical: "*",
  cut: "…",
  rail: "│",
  bar: "━",
  barOther: "╍",
  barThin: "─",
  levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
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
};

export const glyphs: { readonly unicode: Glyphs; readonly ascii: Glyphs } = { unicode, ascii };
