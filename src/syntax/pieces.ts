import { lineFinder } from "../util/lines.ts";
import { goParts } from "./pieces/go.ts";
import { cutBody, type Part } from "./pieces/part.ts";
import { pythonParts } from "./pieces/python.ts";
import { scriptParts } from "./pieces/script.ts";
import { tokensOf } from "./pieces/tokens.ts";
import { writtenAlike } from "./pieces/written-alike.ts";
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
  /** Of a comment: it is as free as the import that it stands with. */
  readonly withImport: boolean;
  /** A list of names that it is in: who owns that owns it too. */
  readonly within: string | null;
  /** The place of the name, from the start of the text; of what has none, where it begins. */
  readonly start: number;
  readonly line: number;
};

/** All pieces of a text, in its order. Only for a text that was read without errors. */
export function piecesOf(tree: SyntaxTree): Piece[] {
  return said(tree, partsOf(tree));
}

/** What a claim would name to own a line (from 1): the innermost part that has it; null where that has no name. */
export function symbolAtLine(tree: SyntaxTree, line: number): string | null {
  const lineOf = lineFinder(tree.text);
  let best: { readonly symbol: string; readonly length: number } | null = null;
  for (const { kind, path, about, ranges } of partsOf(tree)) {
    const symbol = path ?? about[0] ?? null;
    if (symbol === null || kind === "comment" || kind === "import") continue;
    for (const [start, end] of ranges) {
      const hasLine = lineOf(start) <= line && line <= lineOf(Math.max(start, end - 1));
      if (hasLine && (best === null || end - start < best.length)) best = { symbol, length: end - start };
    }
  }
  return best?.symbol ?? null;
}

/** Two texts of a file as far as they differ. */
export type DifferingPieces = {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
  /** All names that were there before. */
  readonly names: ReadonlySet<string>;
};

/** The same for two texts of a file, without what is written alike in both: to see what others say costs more than all the rest. */
export function differingPieces(before: SyntaxTree, after: SyntaxTree): DifferingPieces {
  const [old, now] = [partsOf(before), partsOf(after)];
  const alike = writtenAlike({ text: before.text, parts: old }, { text: after.text, parts: now });
  return { before: said(before, old, alike), after: said(after, now, alike), names: declaredIn(old) };
}

const TOP = { path: null, depth: 0, around: "" } as const;

function partsOf({ language, root, text }: SyntaxTree): Part[] {
  const read = language === "python" ? pythonParts : language === "go" ? goParts : scriptParts;
  return withMentioned(cutBody({ text, nodes: root.namedChildren, open: null }, TOP, read), text);
}

/** `admin.site.register(Cart)`, where `admin` is from elsewhere, is about `Cart`. */
function withMentioned(parts: readonly Part[], text: string): Part[] {
  const declared = declaredIn(parts);
  return parts.map((part) => {
    if (!part.isCall || part.about.some((root) => declared.has(root))) return part;
    const words = part.ranges.flatMap(([start, end]) => text.slice(start, end).match(WORDS) ?? []);
    const mentioned = [...new Set(words)].filter((word) => word !== part.path && declared.has(word));
    return mentioned.length === 0 ? part : { ...part, about: mentioned };
  });
}

const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function said(tree: SyntaxTree, parts: readonly Part[], alike: ReadonlySet<Part> = new Set()): Piece[] {
  const asked = parts.filter((part) => !alike.has(part));
  const tokens = tokensOf(
    tree,
    asked.flatMap(({ ranges }) => ranges),
  );
  const lineOf = lineFinder(tree.text);
  /** Names that one statement gives have it in common. */
  const texts = new Map<Part["ranges"], string>();
  const textIn = (ranges: Part["ranges"]) => {
    const text = texts.get(ranges) ?? tokens.textIn(ranges);
    texts.set(ranges, text);
    return text;
  };
  return asked.map(({ kind, path, about, around, ranges, start, withImport, within }) => ({
    kind,
    path,
    fingerprint: `${around}${textIn(ranges)}`,
    about,
    withImport: withImport === true,
    within: within ?? null,
    start,
    line: lineOf(start),
  }));
}

function declaredIn(parts: readonly Part[]): Set<string> {
  return new Set(
    parts.flatMap(({ kind, path }) => ((kind === "named" || kind === "head") && path !== null ? [path] : [])),
  );
}
