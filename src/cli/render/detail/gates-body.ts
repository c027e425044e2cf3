import type { LogItem } from "../../../app/index.ts";
import type { GateJudged } from "../../../core/facts.ts";
import { elapsed } from "../../../core/text/figures.ts";
import { dim, type Line } from "../line.ts";
import { foldLine, type Look, sign } from "../run/look.ts";
import { shown } from "../visible.ts";
import { cells, cutEnd, pad } from "../width.ts";
import { type Body, bodyOf } from "./body.ts";

export type GatesView = {
  /** In the order of the plan. */
  readonly gates: readonly string[];
  /** What was judged, as the log of the attempt has it. */
  readonly items: readonly LogItem[];
};

type FactItem = Extract<LogItem, { kind: "fact" }>;

/** One line a gate and tree, with what a red one printed last. */
export function gatesBody({ gates, items }: GatesView, look: Look): Body {
  const judged = items.flatMap((item) => (isJudged(item) ? [item] : []));
  const done = new Set(judged.map(({ logged }) => (logged.fact as GateJudged).name));
  const names = [...new Set([...done, ...gates])];
  const width = Math.min(24, Math.max(4, ...names.map(cells))) + 2;
  const lines = judged.flatMap((item) => judgedLines(item, width, look));
  const waiting = gates
    .filter((name) => !done.has(name))
    .map(
      (name): Line => [
        sign("waiting", look.glyphs),
        ` ${pad(nameOf(name, width, look), width)}`,
        dim("not checked yet"),
      ],
    );
  if (lines.length + waiting.length === 0) return bodyOf([[dim("it has no gates")]]);
  return bodyOf([...lines, ...waiting].flatMap((line) => foldLine(line, look.width)));
}

const isJudged = (item: LogItem): item is FactItem =>
  item.kind === "fact" && item.logged.fact.type === "gate.judged";

const nameOf = (name: string, width: number, { glyphs }: Look): string =>
  cutEnd(shown(name, glyphs), width - 2, glyphs.cut);

function judgedLines({ logged, output, path }: FactItem, width: number, look: Look): Line[] {
  const { name, verdict, how, durationMs, summary, tries, asked } = logged.fact as GateJudged;
  const { glyphs } = look;
  const where = asked.every(({ kind }) => kind !== "attempt") ? ", on the merged tree" : "";
  const time = how === "ran" ? elapsed(durationMs) : "known";
  const told = [time, ...(tries > 1 ? [`${tries} runs`] : []), shown(summary, glyphs)].filter(
    (part) => part !== "",
  );
  const glyph = sign(verdict === "green" ? "merged" : "failed", glyphs);
  const head: Line = [
    glyph,
    ` ${pad(nameOf(name, width, look), width)}${pad(verdict, 7)}`,
    `${told.join(", ")}${where}`,
  ];
  const printed = output.map((line): Line => [`  ${shown(line.replaceAll("\t", "  ").trimEnd(), glyphs)}`]);
  return [head, ...printed, ...(path === null ? [] : [["  ", dim("all of it "), shown(path, glyphs)]])];
}
