import { bold, dim, type Line, plainText } from "../line.ts";
import { cells, wrap, wrapWords } from "../width.ts";
import { cutLine, firstFitting, type Look } from "./look.ts";
import type { Foot, FootLines, RowLook } from "./rows.ts";

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
  interrupt === "stops" ? "^C stops and saves" : "^C leaves; the run continues";

function keyTexts(
  { isPaused, canApprove, canRetryNow }: Extract<Foot, { kind: "keys" }>,
  { glyphs, interrupt }: Pick<RowLook, "glyphs" | "interrupt">,
): string[][] {
  const select = [`${glyphs.upDown} select`, "enter log"];
  const ofTask = ["d diff", ...(canApprove ? ["a approve"] : []), "r retry"];
  const now = canRetryNow ? ["R retry now"] : [];
  const ofRun = [isPaused ? "p continue" : "p pause", "s stop"];
  const ends = [interrupt === "stops" ? "^C stop" : "q leave", "? keys"];
  return [
    [...select, ...ofTask, ...now, ...ofRun, ...ends],
    [...select, ...ofTask, ...now, ...ends],
    [...select, ...now, ...ends],
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

/** The beginning says what it is about, and the end what can be pressed: of a long one the middle goes, and a mark says so. */
export function squeezed({ lines, keys }: FootLines, room: number, look: Look): readonly Line[] {
  if (lines.length <= room) return lines;
  const words = lines.slice(0, lines.length - keys);
  const pressed = lines.slice(words.length).slice(-Math.max(1, room - 1));
  const left = Math.max(0, room - pressed.length);
  const kept = words.slice(0, left);
  const last = kept.pop();
  return [...kept, ...(last === undefined ? [] : [markedCut(last, look)]), ...pressed].slice(
    0,
    Math.max(0, room),
  );
}

const markedCut = (line: Line, look: Look): Line => cutLine([...line, look.glyphs.cut], look);

export type Asked = {
  readonly question: string;
  readonly effect: string;
  /** That of the other choice, on lines of its own. */
  readonly otherEffect?: string;
  /** What can be pressed now, and what that does: `enter`, `yes`. */
  readonly choices: readonly (readonly [key: string, says: string])[];
};

/** `Retry tax? A 4th attempt starts from the present tip.  enter yes  esc no`, in as many lines as it takes. */
export function askLines({ question, effect, otherEffect, choices }: Asked, width: number): FootLines {
  const keys = wrap(
    choices.map(([key, says]) => `${key} ${says}`),
    "  ",
    width - 1,
  );
  const texts = [`${question} ${effect}`, ...(otherEffect === undefined ? [] : [otherEffect])];
  const words = texts.flatMap((text) => wrapWords(text, Math.max(8, width - 1)));
  const lines = words.map((text, n): Line => {
    if (n > 0 || text.length < question.length) return [" ", text]; // a long question takes several lines
    return [" ", bold(question), text.slice(question.length)];
  });
  const [last, [first = "", ...more]] = [lines.at(-1) as Line, keys];
  if (more.length === 0 && cells(plainText(last)) + 2 + cells(first) <= width)
    return { lines: [...lines.slice(0, -1), [...last, "  ", dim(first)]], keys: 1 };
  return { lines: [...lines, ...keys.map((text): Line => [" ", dim(text)])], keys: keys.length };
}
