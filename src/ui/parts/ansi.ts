import { formatCodePoint } from "../../core/text/figures.ts";

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
    } else if (INVISIBLE.test(special)) line.write(formatCodePoint(special), look);
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

/** What programs said as part of a sentence: one line, without colors. */
export const stripAnsi = (text: string): string => ansiLines(text).map(plainLine).join(" ");

/** The same for a text without colors, such as a line of a diff: nothing is taken away, and everything can be seen. */
export function visible(text: string): string {
  return text.replace(SPECIAL, (char) => (char === "\n" ? char : formatCodePoint(char)));
}

/** One of the 16 colors by its number, or any other as `#rrggbb`. */
export type Ink = number | string;

/** How a text is written. Plain data: two texts with the same look share the object where nothing changed between them. */
export type Look = { readonly fg: Ink | null; readonly bg: Ink | null; readonly traits: readonly Trait[] };

type Trait = "bold" | "dim" | "italic" | "underline" | "inverse" | "strike";

export const PLAIN: Look = { fg: null, bg: null, traits: [] };

const ON: { readonly [code: number]: Trait } = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
  21: "underline",
};

const OFF: { readonly [code: number]: readonly Trait[] } = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

/** What `ESC [ params m` makes of a look; what is not understood changes nothing. */
function styled(before: Look, params: string): Look {
  let look = before;
  // `4:3` is a kind of underline and `38:2::1:2:3` a color: sub-parameters are read like the others.
  const codes = params.split(/[;:]/).map((part) => (part === "" ? 0 : Number(part)));
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (code === 38 || code === 48 || code === 58) {
      const { ink, used } = inkAt(codes, at + 1);
      at += used;
      if (ink !== null && code === 38) look = { ...look, fg: ink };
      if (ink !== null && code === 48) look = { ...look, bg: ink };
    } else look = one(look, code);
  }
  return look;
}

function one(look: Look, code: number): Look {
  const [on, off] = [ON[code], OFF[code]];
  if (code === 0) return PLAIN;
  if (on !== undefined) return look.traits.includes(on) ? look : { ...look, traits: [...look.traits, on] };
  if (off !== undefined) return { ...look, traits: look.traits.filter((trait) => !off.includes(trait)) };
  if (code >= 30 && code <= 37) return { ...look, fg: code - 30 };
  if (code === 39) return { ...look, fg: null };
  if (code >= 40 && code <= 47) return { ...look, bg: code - 40 };
  if (code === 49) return { ...look, bg: null };
  if (code >= 90 && code <= 97) return { ...look, fg: code - 82 };
  if (code >= 100 && code <= 107) return { ...look, bg: code - 92 };
  return look;
}

/** `5;n` or `2;r;g;b`, the latter with an empty place for a color space in front of it where colons were used. */
function inkAt(codes: readonly number[], at: number): { readonly ink: Ink | null; readonly used: number } {
  if (codes[at] === 5) return { ink: indexed(codes[at + 1] ?? Number.NaN), used: 2 };
  if (codes[at] !== 2) return { ink: null, used: 0 };
  return { ink: rgb(codes.slice(at + 1, at + 4)), used: 4 };
}

function indexed(n: number): Ink | null {
  if (!Number.isInteger(n) || n < 0 || n > 255) return null;
  if (n < 16) return n;
  if (n >= 232) return rgb([8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10]);
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = n - 16;
  return rgb([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(parts: readonly number[]): Ink | null {
  if (parts.length !== 3 || parts.some((part) => !(part >= 0 && part <= 255))) return null;
  return `#${parts.map((part) => Math.floor(part).toString(16).padStart(2, "0")).join("")}`;
}
