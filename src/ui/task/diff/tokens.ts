import { fenceAfter } from "../fence.ts";
import type { Block, Language } from "./languages.ts";

/** What a piece of code is, as far as colors need it. All pieces together are the line. */
export type Token = { readonly text: string; readonly kind: TokenKind | null };
export type TokenKind = "keyword" | "string" | "comment" | "number" | "type" | "name";

/** What a line begins inside of: a comment or a string of the lines before it. */
export type Inside = Block | null;

export type TokenLine = { readonly tokens: readonly Token[]; readonly inside: Inside };

/** Longer lines were made by a program, and nobody reads them. */
const MAX_LINE = 2_000;

/** The colors of one line. Reads forward only, so that it costs what the line is long. */
export function tokenLine(language: Language | null, line: string, before: Inside = null): TokenLine {
  if (language === null) return { tokens: plain(line), inside: null };
  const fenced = language.markdown ? fencedLine(line, before) : null;
  if (fenced !== null) return fenced;
  if (line.length > MAX_LINE) return { tokens: plain(line), inside: null };
  const whole = language.markdown && before === null ? markdownLine(line) : null;
  if (whole !== null) return { tokens: whole, inside: null };
  const tokens: Token[] = [];
  let at = 0;
  let inside = before;
  if (inside !== null) {
    const end = findClose(line, 0, inside);
    put(tokens, line.slice(0, end ?? line.length), inside.kind);
    if (end === null) return { tokens, inside };
    [at, inside] = [end, null];
  }
  while (at < line.length) {
    const { block, kind, end: next } = pieceAt(language, line, at);
    const end = block === null ? next : findClose(line, at + block.open.length, block);
    const isName = end !== null && block?.kind === "string" && isBeforeName(language, line, end);
    put(tokens, line.slice(at, end ?? line.length), isName ? "name" : (block?.kind ?? kind));
    if (end === null) return { tokens, inside: block?.spans ? block : null };
    at = end;
  }
  return { tokens, inside };
}

/** What is of one kind is one piece. */
function put(tokens: Token[], text: string, kind: TokenKind | null): void {
  const last = tokens.at(-1);
  if (text === "") return;
  if (last?.kind === kind && last !== undefined) tokens[tokens.length - 1] = { text: last.text + text, kind };
  else tokens.push({ text, kind });
}

const plain = (text: string): Token[] => (text === "" ? [] : [{ text, kind: null }]);

/** Behind the end of the block; null where it does not end on this line. */
function findClose(line: string, from: number, { close, escapes }: Block): number | null {
  if (!escapes) {
    const found = line.indexOf(close, from);
    return found === -1 ? null : found + close.length;
  }
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return null;
}

type Piece = { readonly end: number; readonly kind: TokenKind | null; readonly block: Block | null };

const BLANK = /\s+/y;
const NUMBER = /\d[\w.]*%?/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const HYPHENED = /-{0,2}[\p{L}_][\p{L}\p{N}_-]*/uy;
const CHAR = /'(?:\\[^']{1,8}|[^'\\])'/y;

function pieceAt(language: Language, line: string, at: number): Piece {
  const char = line[at] as string;
  const blank = matchEnd(BLANK, line, at);
  if (blank !== null) return { end: blank, kind: null, block: null };
  if (language.lineComments.some((mark) => isComment(mark, line, at)))
    return { end: line.length, kind: "comment", block: null };
  const block = language.blocks.find(({ open }) => line.startsWith(open, at)) ?? null;
  if (block !== null) return { end: at, kind: null, block };
  const quoted = language.chars ? matchEnd(CHAR, line, at) : null;
  if (quoted !== null) return { end: quoted, kind: "string", block: null };
  const number = matchEnd(NUMBER, line, at);
  if (number !== null) return { end: number, kind: "number", block: null };
  const shape = language.hyphens ? HYPHENED : WORD;
  if (language.marks?.includes(char)) {
    const end = matchEnd(shape, line, line[at + 1] === "/" ? at + 2 : at + 1);
    if (end !== null) return { end, kind: char === "<" ? "keyword" : "type", block: null };
  }
  const word = matchEnd(shape, line, at);
  if (word !== null) return { end: word, kind: wordKind(language, line, { at, end: word }), block: null };
  return { end: at + 1, kind: null, block: null };
}

function matchEnd(shape: RegExp, line: string, at: number): number | null {
  shape.lastIndex = at;
  return shape.test(line) ? shape.lastIndex : null;
}

/** `#` and `--` begin one only where a word could begin: not in `a#b`, nor in `$#`. */
function isComment(mark: string, line: string, at: number): boolean {
  if (!line.startsWith(mark, at)) return false;
  return mark === "//" || at === 0 || /\s/.test(line[at - 1] as string);
}

function wordKind(
  language: Language,
  line: string,
  { at, end }: { readonly at: number; readonly end: number },
): TokenKind | null {
  const word = line.slice(at, end);
  if (isBeforeName(language, line, end)) return "name";
  if (language.keywords.has(language.ignoresCase ? word.toLowerCase() : word)) return "keyword";
  return language.hasTypes && /^\p{Lu}.*\p{Ll}/u.test(word) ? "type" : null;
}

function isBeforeName({ names }: Language, line: string, end: number): boolean {
  if (names === undefined) return false;
  return line[matchEnd(BLANK, line, end) ?? end] === names;
}

/** A line of a block of code, or one that begins it. */
function fencedLine(line: string, before: Inside): TokenLine | null {
  const open = before !== null && FENCE.test(before.close) ? before.close : null;
  if (before !== null && open === null) return null;
  const mark = fenceAfter(line, open);
  if (open === null && mark === null) return null;
  const inside: Inside = mark === null ? null : { open: mark, close: mark, kind: "string", spans: true };
  return { tokens: line === "" ? [] : [{ text: line, kind: "string" }], inside };
}

const FENCE = /^(?:`{3,}|~{3,})$/;

/** Headings and quotes are what they are as a whole. */
function markdownLine(line: string): Token[] | null {
  if (/^#{1,6}\s/.test(line)) return [{ text: line, kind: "keyword" }];
  return /^\s*>/.test(line) ? [{ text: line, kind: "comment" }] : null;
}
