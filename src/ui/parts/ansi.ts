import { type Look, PLAIN, styled } from "./ansi-look.ts";

/**
 * What a program printed, as lines of colored text. Colors stay, a line that was written over with carriage returns (a progress
 * bar) is what was last seen of it, and all other escape sequences are gone. Whatever would turn the direction of writing or
 * hide itself becomes visible. Nothing a program prints makes this cost more than its length.
 */
export type Span = { readonly text: string; readonly look: Look };
export type AnsiLine = readonly Span[];

export function ansiLines(text: string): AnsiLine[] {
  const lines: AnsiLine[] = [];
  const line = createLine();
  let look = PLAIN;
  let at = 0;
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    const end = found?.index ?? text.length;
    if (end > at) line.write(text.slice(at, end), look);
    if (found === null) break;
    const [special] = found;
    at = SPECIAL.lastIndex;
    if (special === "\n") lines.push(line.take());
    else if (isEscape(special)) {
      const sequence = readSequence(text, end);
      at = sequence.end;
      if (sequence.kind === "look") look = styled(look, sequence.params);
      else line.obey(sequence);
    } else if (INVISIBLE.test(special)) line.write(codePoint(special), look);
    else line.control(special);
  }
  const last = line.take();
  return last.length === 0 && (text === "" || text.endsWith("\n")) ? lines : [...lines, last];
}

export const plainLine = (line: AnsiLine): string => line.map(({ text }) => text).join("");

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what these look for
// Tabs stay, and joiners of scripts and emoji: text needs them.
const SPECIAL =
  /[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
const INVISIBLE = /[^\x00-\x1f\x7f-\x9f]/;
const C1 = /[\x90\x98\x9b\x9d\x9e\x9f]/;
const CONTROL = /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)/y;
// A string without an end goes to the end of its line: it must not hide the lines after.
const STRING = /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?/y;
const SHORT = /\x1b[ -/]*[0-~]?/y;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are what these look for

const isEscape = (special: string): boolean => special === "\u001b" || C1.test(special);

type Sequence = { readonly end: number } & (
  | { readonly kind: "look"; readonly params: string }
  | { readonly kind: "erase"; readonly from: "here" | "start" }
  | { readonly kind: "forward"; readonly cells: number }
  | { readonly kind: "home" | "other" }
);

function readSequence(text: string, at: number): Sequence {
  CONTROL.lastIndex = at;
  const control = CONTROL.exec(text);
  if (control !== null) {
    const [, params = "", final] = control;
    const end = CONTROL.lastIndex;
    if (final === "m" && !/[<-?]/.test(params)) return { kind: "look", params, end };
    if (final === "K") return { kind: "erase", from: params === "2" ? "start" : "here", end };
    if (final === "C") return { kind: "forward", cells: params === "" ? 1 : Number(params), end };
    if (final === "G" && (params === "" || params === "1")) return { kind: "home", end };
    return { kind: "other", end };
  }
  for (const shape of [STRING, SHORT]) {
    shape.lastIndex = at;
    if (shape.exec(text) !== null) return { kind: "other", end: shape.lastIndex };
  }
  return { kind: "other", end: at + 1 };
}

type Line = {
  readonly write: (text: string, look: Look) => void;
  /** A character that moves: to the beginning, where what comes next is written over what is there, or back by one. */
  readonly control: (char: string) => void;
  readonly obey: (sequence: Sequence) => void;
  readonly take: () => AnsiLine;
};

/** As wide as terminals are: what goes further is meant to hit their edge. */
const MOST_CELLS = 200;

/**
 * `over` is what was written since the line was last begun anew, `below` what still shows of the times before, its beginning last: so a
 * span is put there and taken away once, however often a line is begun anew.
 */
function createLine(): Line {
  let over: Span[] = [];
  let length = 0;
  let below: Span[] = [];

  function back(): void {
    let covered = length;
    while (covered > 0 && below.length > 0) {
      const span = below.pop() as Span;
      if (span.text.length > covered) below.push({ ...span, text: span.text.slice(covered) });
      covered -= span.text.length;
    }
    for (let n = over.length - 1; n >= 0; n -= 1) below.push(over[n] as Span);
    [over, length] = [[], 0];
  }

  function rubOut(): void {
    const last = over.pop();
    if (last === undefined) return;
    length -= 1;
    if (last.text.length > 1) over.push({ ...last, text: last.text.slice(0, -1) });
  }

  function write(text: string, look: Look): void {
    const last = over.at(-1);
    if (last?.look === look) over[over.length - 1] = { look, text: last.text + text };
    else over.push({ text, look });
    length += text.length;
  }

  return {
    write,
    control: (char) => {
      if (char === "\r") back();
      else if (char === "\b") rubOut();
    },
    obey: (sequence) => {
      if (sequence.kind === "home") back();
      // Programs step over blanks in place of writing them; over what is there already nothing is written.
      if (sequence.kind === "forward" && below.length === 0 && sequence.cells <= MOST_CELLS)
        write(" ".repeat(sequence.cells), PLAIN);
      if (sequence.kind !== "erase") return;
      below = [];
      if (sequence.from === "start") [over, length] = [[], 0];
    },
    take: () => {
      back();
      const line = below.reverse();
      below = [];
      return line;
    },
  };
}

function codePoint(char: string): string {
  const hex = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${hex}>`;
}

/** What programs said as part of a sentence: one line, without colors. */
export const stripAnsi = (text: string): string => ansiLines(text).map(plainLine).join(" ");

/** The same for a text without colors, such as a line of a diff: nothing is taken away, and everything can be seen. */
export function visible(text: string): string {
  return text.replace(SPECIAL, (char) => (char === "\n" ? char : codePoint(char)));
}
