import { formatCodePoint } from "../../core/text/figures.ts";
import type { Glyphs } from "./glyphs.ts";

/**
 * Text from plans, files and arguments as it may be shown on a terminal: whatever moves the cursor, changes colours,
 * turns the direction of writing or hides itself becomes a visible `<U+001B>`. Joiners of scripts and emoji stay.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A single line: line breaks and tabs are shown too. */
export function visible(text: string): string {
  return text.replace(UNSAFE, formatCodePoint);
}

/** The same, and in ASCII where nothing else can be shown. */
export function shown(text: string, { ascii }: Pick<Glyphs, "ascii">): string {
  return ascii ? asciiText(visible(text)) : visible(text);
}

/**
 * Signs that plait's own messages use, as one writes them in ASCII. Everything else beyond ASCII comes from users and is
 * spelled out, `<U+00FC>`: so what `--ascii` prints is ASCII throughout, and two names that differ look different.
 */
const SPELLED: Readonly<Record<string, string>> = {
  "→": "->",
  "←": "<-",
  "…": "...",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "×": "x",
  "·": ".",
  "•": "*",
  "≤": "<=",
  "≥": ">=",
  "\u00a0": " ",
};

export function asciiText(text: string): string {
  return spelled(text).replace(/[^\p{ASCII}]/gu, formatCodePoint);
}

/** Only plait's own signs; for readers that take any text but no ornaments. */
export function spelled(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (char) => SPELLED[char] ?? char);
}
