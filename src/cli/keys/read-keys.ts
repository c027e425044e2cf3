import type { ProgressClock } from "../progress/io.ts";

/** A key as people call it: `up`, `enter`, `esc`; what is typed is itself, `d` or `?`. */
export type Key = string;

/** What a terminal says when it is asked. */
export type Report =
  /** Where the cursor is, from 1. */
  | { readonly kind: "cursor"; readonly column: number }
  | { readonly kind: "background"; readonly isLight: boolean };

type Heard = { readonly key: (key: Key) => void; readonly report: (report: Report) => void };

/** The key Esc is the beginning of all others: it is meant alone when nothing follows at once. */
const ESC_MS = 40;
/** Longer than any answer; what has no end by then is none. */
const LONGEST = 64;

/** Turns what a terminal sends into keys, whatever the pieces that it comes in. */
export function createKeyReader(heard: Heard, clock: ProgressClock) {
  let waiting = "";
  let timer: { readonly cancel: () => void } | null = null;

  function take(text: string): void {
    timer?.cancel();
    timer = null;
    let rest = waiting + text;
    waiting = "";
    while (rest !== "") {
      const size = sizeOf(rest);
      if (size === null) {
        waiting = rest;
        timer = clock.setTimer(ESC_MS, giveUp);
        return;
      }
      tell(rest.slice(0, size));
      rest = rest.slice(size);
    }
  }

  /** Nothing follows: it was the key itself, and what came behind it was typed. */
  function giveUp(): void {
    const [, ...typed] = waiting;
    waiting = "";
    timer = null;
    heard.key("esc");
    for (const char of typed) tell(char);
  }

  function tell(sequence: string): void {
    const report = reportOf(sequence);
    const key = report === null ? keyOf(sequence) : null;
    if (report !== null) heard.report(report);
    if (key !== null) heard.key(key);
  }

  return { take, close: () => timer?.cancel() };
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what these look for
/** CSI with its parameters, SS3 with one letter, OSC up to its end. */
const WHOLE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[O\]])/;
const CURSOR = /^\x1b\[\d+;(\d+)R$/;
const BACKGROUND = /^\x1b\]11;rgba?:([0-9a-f]{2,4})\/([0-9a-f]{2,4})\/([0-9a-f]{2,4})/i;
const NAMED = /^\x1b(?:\[|O)(?:\d+;\d+)?(\d*)([~A-Z])$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are what these look for

/** How much of the text is one key or answer; null while it may still go on. */
function sizeOf(text: string): number | null {
  if (!text.startsWith("\u001b")) return (text.codePointAt(0) as number) > 0xffff ? 2 : 1;
  const [whole] = WHOLE.exec(text) ?? [];
  // Esc and a letter at once is Esc, and then the letter.
  if (whole !== undefined) return whole.length === 2 ? 1 : whole.length;
  return text.length > LONGEST ? 1 : null;
}

function reportOf(sequence: string): Report | null {
  const column = CURSOR.exec(sequence)?.[1];
  if (column !== undefined) return { kind: "cursor", column: Number(column) };
  const [, ...parts] = BACKGROUND.exec(sequence) ?? [];
  if (parts.length < 3) return null;
  const [red = 0, green = 0, blue = 0] = parts.map(
    (hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1),
  );
  return { kind: "background", isLight: 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 };
}

const CONTROLS: Readonly<Record<string, Key>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u001b": "esc",
  "\u0003": "ctrl-c",
  "\u0004": "ctrl-d",
  "\u0015": "ctrl-u",
  "\u001a": "ctrl-z",
  "\u001c": "ctrl-\\",
};

const LETTERS: Readonly<Record<string, Key>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift-tab",
  M: "enter",
};

const NUMBERS: Readonly<Record<string, Key>> = {
  "1": "home",
  "7": "home",
  "4": "end",
  "8": "end",
  "5": "pageup",
  "6": "pagedown",
};

/** Null for keys that mean nothing here. */
function keyOf(sequence: string): Key | null {
  const [, number = "", letter = ""] = NAMED.exec(sequence) ?? [];
  if (letter === "~") return NUMBERS[number] ?? null;
  if (letter !== "") return LETTERS[letter] ?? null;
  const control = CONTROLS[sequence];
  if (control !== undefined) return control;
  return /^[^\p{Cc}\p{Cs}]$/u.test(sequence) ? sequence : null;
}
