import type { Piece } from "../pieces.ts";
import type { SyntaxNode } from "../tree.ts";

export type Range = readonly [start: number, end: number];

/** A piece before its text is looked at: it may be in several places, such as the two ends of what has members. */
export type Part = {
  readonly kind: Piece["kind"];
  readonly path: string | null;
  readonly ranges: readonly Range[];
  readonly about: readonly string[];
  /** Of the condition that it stands in, `if` or `except`: it is another thing outside of it. */
  readonly around: string;
  readonly start: number;
  /** Of a comment: it stands with an import. */
  readonly withImport?: boolean;
  /** A list of names that it is in, such as `__all__`: who owns that owns it too. */
  readonly within?: string;
  /** A call: where it begins with a name from elsewhere, it is about those of this file that it mentions. */
  readonly isCall?: boolean;
};

export type Scope = {
  /** Of what has members; null is the file. */
  readonly path: string | null;
  readonly depth: number;
  readonly around: string;
};

export type Source = { readonly text: string };
export type Reader = (node: SyntaxNode, scope: Scope, source: Source) => Part[];

/** What stands in a list: `open` is where its bracket is, null where it has none. */
export type Body = {
  readonly text: string;
  readonly nodes: readonly SyntaxNode[];
  readonly open: number | null;
};

/** People do not go further; a hostile text does, for ever. */
export const DEEPEST = 12;
/** Nor do they give so many names in one statement, each of which would be compared with all of it. */
export const MOST_NAMES = 50;

type Item = { readonly start: number; readonly end: number; readonly parts: readonly Part[] };

/** The parts of a list of statements or members, each comment with that which it is about. */
export function cutBody({ text, nodes, open }: Body, scope: Scope, read: Reader): Part[] {
  const found: Part[] = [];
  let comments: SyntaxNode[] = [];
  let last: Item | null = null;
  let lead: SyntaxNode | null = null;
  for (const node of nodes) {
    if (/^(?:comment|html_comment|hash_bang_line)$/.test(node.type)) comments.push(node);
    else if (node.type === "decorator") lead ??= node;
    else {
      const start: number = lead?.startIndex ?? node.startIndex;
      const parts: readonly Part[] = withLead(read(node, scope, { text }), lead, node);
      const next: Item = { start, end: node.endIndex, parts };
      found.push(...attached(comments, { text, open, scope, last, next }), ...next.parts);
      [last, lead, comments] = [next, null, []];
    }
  }
  return [...found, ...attached(comments, { text, open, scope, last, next: null })];
}

/** In TypeScript the decorators of a method stand before it, as if they were members. */
function withLead(parts: Part[], lead: SyntaxNode | null, node: SyntaxNode): Part[] {
  if (lead === null) return parts;
  const range: Range = [lead.startIndex, node.startIndex];
  return parts.map((part) => ({ ...part, ranges: [range, ...part.ranges] }));
}

type Between = {
  readonly text: string;
  readonly open: number | null;
  readonly scope: Scope;
  readonly last: Item | null;
  readonly next: Item | null;
};

/**
 * A comment is a piece of its own, so that a blank line more or less means nothing: it says the same wherever it stands. Whose it is
 * is asked only when it has changed: of what ends on its line; or of what follows without a blank line, and of what ends above it
 * in the same way; or of what is around it.
 */
function attached(comments: readonly SyntaxNode[], between: Between): Part[] {
  const { text, last, next, open } = between;
  const below = nearOnes(comments.toReversed(), next, ({ endIndex }, to) => hasBlankLine(text, endIndex, to));
  const above = nearOnes(comments, last, ({ startIndex }, from) => hasBlankLine(text, from, startIndex));
  let isOnLine = true;
  return comments.map((comment, i) => {
    const before = last?.end ?? open;
    isOnLine &&= before !== null && !text.slice(before, comment.startIndex).includes("\n");
    const near = { below: below[comments.length - 1 - i] ?? null, above: above[i] ?? null };
    return commentPart(comment, between, isOnLine ? { below: last, above: null } : near);
  });
}

/** Going away from a thing, it is near until there is a gap. */
function nearOnes(
  comments: readonly SyntaxNode[],
  item: Item | null,
  isFar: (comment: SyntaxNode, edge: number) => boolean,
): (Item | null)[] {
  let near = item;
  let edge: { readonly start: number; readonly end: number } | null = item;
  return comments.map((comment) => {
    const isBelow = edge !== null && edge.start > comment.startIndex;
    if (edge === null || isFar(comment, isBelow ? edge.start : edge.end)) near = null;
    edge = { start: comment.startIndex, end: comment.endIndex };
    return near;
  });
}

type Near = { readonly below: Item | null; readonly above: Item | null };

function commentPart(
  { startIndex, endIndex }: SyntaxNode,
  { scope, last }: Between,
  { below, above }: Near,
): Part {
  const owner = below ?? above;
  const kind = owner?.parts[0]?.kind ?? null;
  // The first comment of a file is about the file, also where it has no distance to an import.
  const isOfAll =
    owner === null || kind === "opening" || (kind === "import" && last === null && scope.path === null);
  const names = isOfAll ? [] : namesOf(owner);
  return {
    kind: "comment",
    path: names.length === 1 ? (names[0] ?? null) : scope.path,
    ranges: [[startIndex, endIndex]],
    about: names.length > 1 || above === null ? names : namesOf(above),
    around: "",
    start: startIndex,
    withImport: kind === "import" && !isOfAll,
  };
}

/** What one statement declares, without the members. */
function namesOf({ parts: [first, ...rest] }: Item): readonly string[] {
  if (first?.path == null) return first?.about ?? [];
  const names = [first.path];
  for (const { kind, path } of rest) {
    const isMember = names.some((name) => path?.startsWith(`${name}.`));
    if (path !== null && kind !== "comment" && !isMember) names.push(path);
  }
  return names;
}

function hasBlankLine(text: string, from: number, to: number): boolean {
  return /\n[^\S\n]*\n/.test(text.slice(from, to));
}

/** The name of a member, with what it is a member of. */
export function pathIn({ path }: Scope, name: string): string {
  return path === null ? name : `${path}.${name}`;
}

export function rangeOf({ startIndex, endIndex }: SyntaxNode): Range {
  return [startIndex, endIndex];
}

/** As it was written, also where the tree was made of another form of the text. */
export function textOf({ startIndex, endIndex }: SyntaxNode, { text }: Source): string {
  return text.slice(startIndex, endIndex);
}

export function unnamed(node: SyntaxNode, { around }: Scope, about: readonly string[] = []): Part {
  return { kind: "unnamed", path: null, ranges: [rangeOf(node)], about, around, start: node.startIndex };
}

/** What has a name: `start` is the place of it. */
export function namedPart(path: string, ranges: readonly Range[], start: number, around = "") {
  return { kind: "named", path, ranges, about: [], around, start } as const;
}

/** `app.use(…)` and `register(Cart)`: see `isCall`. */
export function called(part: Part): Part {
  return part.about.some((root) => MUTATORS.test(root)) ? part : { ...part, isCall: true };
}

/** What changes something that it is given. */
const MUTATORS = /^(?:setattr|delattr|exec|eval|globals|vars|Object|Reflect|patch|mock|jest|vi)$/;

export function plain(kind: "import" | "opening", node: SyntaxNode): Part {
  return { kind, path: null, ranges: [rangeOf(node)], about: [], around: "", start: node.startIndex };
}

/** What has members: what has no name among them is of its head. */
export function withMembers(head: Part, members: readonly Part[]): Part[] {
  const isNameless = ({ kind }: Part) => kind === "unnamed" || kind === "opening" || kind === "import";
  const ranges = [...head.ranges, ...members.filter(isNameless).flatMap((part) => part.ranges)];
  return [{ ...head, kind: "head", ranges }, ...members.filter((part) => !isNameless(part))];
}

/** The scope of the members of a thing. */
export function inside({ depth }: Scope, path: string): Scope {
  return { path, depth: depth + 1, around: "" };
}

/** A list of statements that is the body of another thing. */
export function bodyOf(node: SyntaxNode, { text }: Source): Body {
  return { text, nodes: node.namedChildren, open: node.startIndex };
}
