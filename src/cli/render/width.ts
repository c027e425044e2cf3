/** Texts by the cells they take on a terminal: two for East Asian and emoji characters, none for combining marks. */

export function cells(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < FIRST_OTHER) sum += 1;
    else if (isHalf(code)) return wholeCells(text);
    else sum += unitCells(code);
  }
  return sum;
}

/** With characters that take two units. */
function wholeCells(text: string): number {
  let sum = 0;
  for (const char of text) sum += charCells(char);
  return sum;
}

/** Below it, every character takes one cell. */
const FIRST_OTHER = 0x300;
const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** One more than the cells of each unit that was met: the same few signs are measured thousands of times a second. */
const met = new Uint8Array(0x10000);

function unitCells(unit: number): number {
  if (met[unit] === 0) met[unit] = 1 + charCells(String.fromCharCode(unit));
  return (met[unit] as number) - 1;
}

/** Of one code point that is no control character. */
function charCells(char: string): 0 | 1 | 2 {
  const code = char.codePointAt(0) as number;
  if (code < FIRST_OTHER) return 1;
  if (ZERO.test(char)) return 0;
  return WIDE_EMOJI.test(char) || isWide(code) ? 2 : 1;
}

/** Fills up with spaces at the end; a text that is too long stays as it is. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - cells(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - cells(text))) + text;
}

/** Sentences lose their end. */
export function cutEnd(text: string, width: number, mark: string): string {
  return cells(text) <= width ? text : takeStart(text, width - cells(mark)) + mark;
}

/** Ids keep both ends: `check…out`. */
export function cutMiddle(text: string, width: number, mark: string): string {
  if (cells(text) <= width) return text;
  const room = Math.max(0, width - cells(mark));
  return takeStart(text, Math.ceil(room / 2)) + mark + takeEnd(text, Math.floor(room / 2));
}

/** Paths keep their end, and lose whole folders where that is enough: `…/checkout/form.tsx`. */
export function cutPath(text: string, width: number, mark: string): string {
  if (cells(text) <= width) return text;
  const end = takeEnd(text, Math.max(0, width - cells(mark)));
  const slash = end.indexOf("/");
  return mark + (slash === -1 ? end : end.slice(slash));
}

/** Joins parts by the separator into lines of at most this width; a part that is too long has a line of its own. */
export function wrap(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : last + separator + part;
    if (last !== undefined && cells(longer.trimEnd()) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Between words; a word that is longer than a line is broken where it must be. */
export function wrapWords(text: string, width: number): string[] {
  return wrap(
    text.split(" ").flatMap((word) => broken(word, width)),
    " ",
    width,
  );
}

function broken(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (cells(rest) > width) {
    const piece = takeStart(rest, Math.max(2, width));
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}

function takeStart(text: string, width: number): string {
  let taken = "";
  let left = width;
  for (const char of text) {
    left -= charCells(char);
    if (left < 0) break;
    taken += char;
  }
  return taken;
}

function takeEnd(text: string, width: number): string {
  const chars = [...text];
  let left = width;
  let from = chars.length;
  while (from > 0) {
    left -= charCells(chars[from - 1] as string);
    if (left < 0) break;
    from -= 1;
  }
  return chars
    .slice(from)
    .join("")
    .replace(/^\p{M}+/u, "");
}

const ZERO = /^[\p{M}\u200b-\u200f\u2060-\u2064\ufeff\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const WIDE_EMOJI = /^(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}$/u;

/** East Asian Width W and F, apart from emoji. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return code >= 0x1100 && WIDE.some(([from, to]) => from <= code && code <= to);
}
