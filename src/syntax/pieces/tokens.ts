import { type SyntaxTree, visit } from "../tree.ts";
import { isLayout, isTrailing, startsStatement, type Way } from "./layout.ts";
import type { Range } from "./part.ts";

/** A text as what it says, without its layout. */
export type Tokens = {
  /** Equal for two texts that differ in nothing but layout. */
  readonly textIn: (ranges: readonly Range[]) => string;
};

/**
 * Whitespace is layout, except where Python nests by it; so is what layout.ts says, and which quotes are around a simple text.
 * Statements of one body are told apart, since two of them may look like one.
 */
export function tokensOf(tree: SyntaxTree, asked: readonly Range[]): Tokens {
  const isAsked = within(asked);
  const list = tokenList(tree);
  const way: Way = { language: tree.language, types: [], starts: [], commas: [], brackets: [] };
  const { types, starts, commas } = way;
  const blocks: { readonly depth: number; readonly end: number }[] = [];
  const leaf = { depth: -1, start: 0, end: 0 };
  const endLeaf = (next: string) => {
    if (leaf.depth >= 0) list.leaf(leaf, way, next);
    leaf.depth = -1;
  };
  visit(tree, ({ nodeType: type, startIndex: start, endIndex: end }, depth) => {
    if (leaf.depth >= depth) endLeaf(type);
    if (!isAsked(start, end)) {
      list.skip(end);
      return false;
    }
    for (let last = blocks.at(-1); last !== undefined && last.depth >= depth; last = blocks.at(-1)) {
      list.mark(last.end - 1, CLOSE); // in front of the end: it is inside of what ends there
      blocks.pop();
    }
    const parent = types[depth - 1] ?? "";
    types[depth] = type;
    starts[depth] = start;
    commas[depth] = 0;
    if (startsStatement(type, parent)) list.mark(start, NEXT);
    const whole = WHOLE.get(type);
    if (whole !== undefined) {
      leaf.depth = -1;
      list.whole(start, end, type === "string" ? stringKind(way, depth) : whole);
      return false;
    }
    if (type === "block" && tree.language === "python") blocks.push({ depth, end });
    leaf.depth = depth;
    leaf.start = start;
    leaf.end = end;
    return !NOTHING_INSIDE.test(type); // most nodes are such, and each question has its price
  });
  endLeaf("");
  return { textIn: (ranges) => ranges.map(list.textIn).join(NEXT) };
}

const [CLOSE, NEXT] = ["\u0001", "\u0002"] as const;
const NOTHING_INSIDE =
  /^(?:\W|(?:property_|type_|field_|package_|shorthand_property_)?identifier$|integer$|number$|int_literal$)/;

/** What is one token however it looks inside. */
const WHOLE: ReadonlyMap<string, Whole> = new Map([
  ["string", "quoted"],
  ["string_fragment", "text"], // of a template, which may hold code besides
  ["escape_sequence", "text"],
  ["regex", "text"],
  ["interpreted_string_literal", "text"],
  ["raw_string_literal", "text"],
  ["rune_literal", "text"],
  ["comment", "comment"],
  ["html_comment", "comment"],
  ["jsx_text", "markup"],
]);

/** A docstring, the name of a member, or a value. */
function stringKind({ types, starts, language }: Way, depth: number): Whole {
  const parent = types[depth - 1] ?? "";
  if (language === "python") return parent === "expression_statement" ? "comment" : "quoted";
  const isFirst = starts[depth] === starts[depth - 1];
  return isFirst && (parent === "pair" || parent === "property_signature") ? "key" : "quoted";
}

/** Of an arrow, where it is not the body: `a => b` is `(a) => b`. */
function isParameter({ types }: Way, depth: number): boolean {
  return types[depth] === "identifier" && types[depth - 1] === "arrow_function";
}

type Leaf = { readonly depth: number; readonly start: number; readonly end: number };

/** Tokens in the order of the text. What no node covers is one too: other forms of a text leave gaps. */
function tokenList({ text }: SyntaxTree) {
  const starts: number[] = [];
  const said: string[] = [];
  const isSpaced: boolean[] = [];
  let end = 0;
  const push = (start: number, to: number, what: string) => {
    starts.push(start);
    said.push(what);
    isSpaced.push(start > end);
    end = Math.max(end, to);
  };
  const gap = (start: number) => {
    let at = end;
    while (at < start && text.charCodeAt(at) <= 32) at += 1;
    if (at < start) push(at, start, saidBy(text.slice(at, start), "code"));
  };
  /** Of code: the last two tokens, and where the last of them is. */
  let [before, last, lastAt] = ["", "", -1];
  const passed = (what: string) => {
    [before, last, lastAt] = [last, what, said.length - 1];
  };
  return {
    mark: (start: number, what: string) => push(start, 0, what),
    skip: (to: number) => {
      end = Math.max(end, to);
    },
    leaf: ({ start, end: to, depth }: Leaf, way: Way, next: string) => {
      if (start === to) return;
      gap(start);
      const written = text.slice(start, to);
      const isAlone = last !== "=>" && isParameter(way, depth);
      const what = isLayout(way, depth, next) ? "" : saidBy(isAlone ? `(${written})` : written, "code");
      if (last === "," && /^[)\]}>]$/.test(written) && isTrailing(way, depth, before)) said[lastAt] = "";
      if (what === ",") way.commas[depth - 1] = (way.commas[depth - 1] ?? 0) + 1;
      push(start, to, what);
      passed(what);
    },
    whole: (start: number, to: number, kind: Whole) => {
      gap(start);
      push(start, to, saidBy(text.slice(start, to), kind));
      if (kind !== "comment") passed("");
    },
    textIn: ([from, to]: Range): string => {
      const all: string[] = [];
      let before = "";
      let isCut = false; // between what is left of brackets, as if they were a space
      for (let i = firstFrom(starts, from); i < starts.length && (starts[i] as number) < to; i += 1) {
        const what = said[i] as string;
        if (what !== "") {
          if (isApart(before, what, isCut || isSpaced[i] === true)) all.push(" ");
          all.push(what);
          before = what;
        }
        isCut = what === "";
      }
      return withoutLast(all);
    },
  };
}

/** Whether a node is in one of the ranges, or they in it; nodes are asked for in their order. */
function within(ranges: readonly Range[]): (start: number, end: number) => boolean {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  let next = 0;
  return (start, end) => {
    while (next < sorted.length && (sorted[next] as Range)[1] <= start) next += 1;
    return next < sorted.length && (sorted[next] as Range)[0] < end;
  };
}

/** Without the marks of what it all stands in: it may be the last there. */
function withoutLast(all: readonly string[]): string {
  let end = all.length;
  while (end > 0 && all[end - 1] === CLOSE) end -= 1;
  return all.slice(0, end).join("");
}

function firstFrom(starts: readonly number[], from: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How a token is read: `code` has no meaning in its whitespace, `text` only that. */
type Whole = "code" | "text" | "quoted" | "key" | "comment" | "markup";

/** What a token says, without its layout. */
function saidBy(written: string, kind: Whole): string {
  const text = written.includes("\r") ? written.replaceAll("\r\n", "\n") : written;
  switch (kind) {
    case "code":
      if (isDigit(text.charCodeAt(0)) && /^\w+$/.test(text)) return text.toLowerCase(); // `0XFF`
      return /[\s\\]/.test(text) ? joined(text.replace(/\\\n/g, " ")) : text;
    case "text":
      return text;
    case "quoted":
      return requoted(text);
    case "key":
      return KEY.exec(text)?.[1] ?? requoted(text);
    case "comment":
      return `${COMMENT}${oneLine(requoted(text).replace(/^(#+|\/\/+|\/\*+)\s+/, "$1"))}${COMMENT}`;
    case "markup":
      return `${COMMENT}${markup(text)}${COMMENT}`;
  }
}

const COMMENT = "\u0003";
/** `{ "a": 1 }` is `{ a: 1 }`. */
const KEY = /^["']([A-Za-z_$][\w$]*)["']$/;
/** With what stands before a text in Python, and one of the quotes that may be around it. */
const QUOTED = /^([A-Za-z]{0,2})("""|'''|["'])([\s\S]*)\2$/;

/** In the same quotes, whichever were chosen. Where code or backslashes are inside, only if no quote is. */
function requoted(text: string): string {
  const [, before = "", quotes = "", inner = ""] = QUOTED.exec(text) ?? [];
  if (quotes === "") return text;
  const prefix = before.toLowerCase().replace("u", "");
  const isPlain = !/["']/.test(inner);
  if (quotes.length === 3)
    return inner.includes('"') ? `${prefix}${quotes}${inner}${quotes}` : `${prefix}"""${inner}"""`;
  if (!isPlain && /[rft]/.test(prefix)) return `${prefix}${quotes}${inner}${quotes}`;
  return `${prefix}"${isPlain ? inner : inner.replace(/\\([\s\S])|"/g, escaped)}"`;
}

/** As it is written between `"`. */
function escaped(found: string, next: string | undefined): string {
  if (next === undefined) return '\\"';
  return next === "'" ? "'" : found;
}

/** Another form of a text has several tokens in one: as if they were apart. */
function joined(text: string): string {
  return text
    .trim()
    .replace(/(\S)\s+(?=(\S))/g, (_, a: string, b: string) => (isApart(a, b, true) ? `${a} ` : a));
}

const oneLine = (text: string) => text.trim().replace(/\s+/g, " ");

/** As it is shown: lines are joined by one space, and blank ones are none. */
function markup(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  const cut = lines.map((line, i) =>
    i === 0 ? line.trimEnd() : i === lines.length - 1 ? line.trimStart() : line.trim(),
  );
  return cut.filter((line) => line !== "").join(" ");
}

/** Whether something must stand between two tokens so that they are not read as one. */
function isApart(before: string, next: string, isSpaced: boolean): boolean {
  const [last, first] = [before.charCodeAt(before.length - 1), next.charCodeAt(0)];
  if (isWord(last) && isWord(first)) return isSpaced;
  return isSign(last) && isSign(first);
}

function isWord(code: number): boolean {
  return (
    code > 127 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95
  );
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const SIGNS: ReadonlySet<number> = new Set(Array.from("+-*/%&|^<>=!~?:.@", (sign) => sign.charCodeAt(0)));
const isSign = (code: number) => SIGNS.has(code);
