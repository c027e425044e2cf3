import { bold, dim, type Line, plainText } from "../line.ts";
import { cutLine, type Interrupt, type Look } from "../run/look.ts";
import { cells, pad } from "../width.ts";
import { type Body, bodyOf } from "./body.ts";

type Entry = readonly [keys: string, says: string];

/** Every key, by where it works. */
export function keysBody(interrupt: Interrupt, look: Look): Body {
  const { glyphs } = look;
  const isNarrow = look.width < 60;
  const line = ([keys, says]: Entry): Line => [" ", bold(pad(keys, isNarrow ? 10 : 14)), says];
  const part = (title: string, entries: readonly Entry[]): Line[] => [[dim(title)], ...entries.map(line)];
  const leave: Entry[] =
    interrupt === "stops"
      ? [
          ["^C", "stop and save; again: kill"],
          ["^Z", "suspend; fg returns"],
        ]
      : [["q, ^C", "leave; the run continues"]];
  const ofRun = part("the run", [
    [`${glyphs.upDown}, j k`, "select a task"],
    ["enter, l", "its log"],
    ["d  c  m", "its diff, gates, prompt"],
    ["r", "retry it"],
    ["a", "approve or submit it"],
    ["o", "open its worktree"],
    ["R", "retry paused tasks now"],
    ["p", "pause or continue"],
    ["s", "stop, or stop now"],
    ["L", "land merged tasks"],
    ...leave,
  ]);
  const ofTask = part("a task", [
    ["tab", "log, diff, gates, prompt"],
    ["[  ]", "previous, next attempt"],
    [`${glyphs.upDown}, pgup pgdn`, "scroll"],
    ["home  end", "start; end, and follow"],
    ["/  n  N", "find; next, one before"],
    ["n  p", "diff: next, previous file"],
    ["{  }", "diff: previous, next hunk"],
    ["w", "wrap long lines"],
    ["esc, q", "back"],
  ]);
  const lines =
    look.width < BOTH ? [...ofRun, [], ...ofTask] : beside(ofRun, ofTask, Math.floor(look.width / 2));
  return bodyOf(lines.map((one) => cutLine(one, look)));
}

/** From here on the two lists stand side by side, and fit any usual screen. */
const BOTH = 80;

function beside(left: readonly Line[], right: readonly Line[], width: number): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, n): Line => {
    const line = left[n] ?? [];
    const gap = " ".repeat(Math.max(1, width - cells(plainText(line))));
    return right[n] === undefined ? line : [...line, gap, ...right[n]];
  });
}
