import { bold, dim, type Line, plainText } from "../line.ts";
import { cells, wrapWords } from "../width.ts";
import { firstFitting } from "./look.ts";
import type { Foot, RowLook } from "./rows.ts";

/** What can be pressed, in the order of the design; the last ones stay longest. */
export function footLines(
  look: Pick<RowLook, "foot" | "width" | "glyphs" | "interrupt" | "columns">,
): Line[] {
  const { foot, width, columns } = look;
  if (foot.kind === "lines") return [...foot.lines];
  const indent = " ".repeat(columns.gutter > 1 ? 0 : 1);
  const gap = width >= 100 ? "   " : "  ";
  const lines = foot.kind === "none" ? [[interruptText(look.interrupt)]] : keyTexts(foot, look);
  const variants = lines.map((keys): Line => [indent, dim(keys.join(gap))]);
  return [firstFitting(variants, width)];
}

const interruptText = (interrupt: RowLook["interrupt"]): string =>
  interrupt === "stops" ? "^C stops and saves" : "^C leaves it going";

function keyTexts(
  { isPaused, canApprove }: Extract<Foot, { kind: "keys" }>,
  { glyphs, interrupt }: Pick<RowLook, "glyphs" | "interrupt">,
): string[][] {
  const select = [`${glyphs.upDown} select`, "enter log"];
  const ofTask = ["d diff", ...(canApprove ? ["a approve"] : []), "r retry"];
  const ofRun = [isPaused ? "p go on" : "p pause", "s drain"];
  const ends = [interrupt === "stops" ? "^C stop" : "q leave", "? keys"];
  return [
    [...select, ...ofTask, ...ofRun, ...ends],
    [...select, ...ofTask, ...ends],
    [...select, ...ends],
    ends,
  ];
}

/** `$20.18 of $40.00                 ? keys`: where it is narrow, beside the figure that is never dropped. */
export function narrowFoot(
  spent: string | null,
  { foot, width, interrupt }: Pick<RowLook, "foot" | "width" | "interrupt">,
): Line[] {
  const cost: Line[] = spent === null ? [] : [[spent]];
  if (foot.kind === "lines") return [...cost, ...foot.lines];
  const says = foot.kind === "keys" ? "? keys" : interruptText(interrupt);
  const left = width - cells(spent ?? "") - cells(says);
  return left < 2 ? cost : [[spent ?? "", " ".repeat(left), dim(says)]];
}

/** The beginning says what it is about, and the last line what can be pressed: of a long one the middle goes. */
export function squeezed(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines;
  return room < 1 ? [] : [...lines.slice(0, room - 1), lines.at(-1) as Line];
}

export type Asked = {
  readonly question: string;
  readonly effect: string;
  /** What can be pressed now, and what that does: `enter`, `yes`. */
  readonly choices: readonly (readonly [key: string, says: string])[];
};

/** `Retry tax? A 4th attempt starts from the present tip.  enter yes  esc no`, in as many lines as it takes. */
export function askLines({ question, effect, choices }: Asked, width: number): Line[] {
  const keys = choices.map(([key, says]) => `${key} ${says}`).join("  ");
  // What is typed stands between backticks in these words; here everything looks typed.
  const words = wrapWords(`${question} ${effect.replaceAll("`", "")}`, Math.max(8, width - 1));
  const lines = words.map((text, n): Line => {
    if (n > 0 || !text.startsWith(question)) return [" ", text];
    return [" ", bold(question), text.slice(question.length)];
  });
  const last = lines.at(-1) as Line;
  const fits = cells(plainText(last)) + 2 + cells(keys) <= width;
  return fits ? [...lines.slice(0, -1), [...last, "  ", dim(keys)]] : [...lines, [" ", dim(keys)]];
}
