import { goParts } from "./pieces/go.ts";
import { cutBody, type Part } from "./pieces/part.ts";
import { pythonParts } from "./pieces/python.ts";
import { scriptParts } from "./pieces/script.ts";
import { tokensOf } from "./pieces/tokens.ts";
import type { SyntaxTree } from "./tree.ts";

/** A part of a file that can change for itself: what a claim names, or what stands between such parts. */
export type Piece = {
  readonly kind:
    | "import" // what it takes from elsewhere, with the conditions around nothing but that
    | "named" // a function, a method, an attribute, a module-level name, a member
    | "head" // of what has members: its own line, decorators and docstring, and what has no name in it
    | "export" // a name that is handed out: `export { a as b }`
    | "comment" // outside of any function; `path` says before what it stands
    | "opening" // what a file begins with: its docstring, `package x`, `"use strict"`
    | "unnamed";
  /** As a claim names it: `Cart.total`; null has no name. */
  readonly path: string | null;
  /** What it says: equal where two differ in nothing but layout. */
  readonly fingerprint: string;
  /** Names of this file that it is about, where it has none of its own, or another: `app` of `app.use(…)`. */
  readonly about: readonly string[];
  /** The place of the name, from the start of the text; of what has none, where it begins. */
  readonly start: number;
  /** From 1. */
  readonly line: number;
};

/** All pieces of a text, in its order. Only for a text that was read without errors. */
export function piecesOf(tree: SyntaxTree): Piece[] {
  const { language, root, text } = tree;
  const read = language === "python" ? pythonParts : language === "go" ? goParts : scriptParts;
  const parts = cutBody({ text, nodes: root.namedChildren, open: null }, TOP, read);
  const declared = new Set(
    parts.flatMap(({ kind, path }) => (isDeclared(kind) && path !== null ? [path] : [])),
  );
  const tokens = tokensOf(tree);
  const lineOf = lines(text);
  return parts.map(({ kind, path, about, around, ranges, start }) => ({
    kind,
    path,
    fingerprint: `${around}${tokens.textIn(ranges)}`,
    about: about.filter((name) => declared.has(name)),
    start,
    line: lineOf(start),
  }));
}

const TOP = { path: null, depth: 0, around: "" } as const;

function isDeclared(kind: Part["kind"]): boolean {
  return kind === "named" || kind === "head";
}

/** For any order of places: a piece is found later than what is inside of it. */
function lines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
