import { type Alternative, compile, type Glob, type Literal } from "./compile.ts";
import { acceptsPath } from "./match.ts";
import { type Budget, meetPaths, samplePath } from "./meet-segments.ts";
import type { PathPattern } from "./pattern.ts";
import type { GlobSegment, Segment } from "./segment.ts";

/** Whether some path is meant by two patterns. */
export type Overlap =
  | { readonly kind: "disjoint" }
  | { readonly kind: "overlap"; readonly witness: string }
  | {
      readonly kind: "may-overlap";
      /** A clause that stands alone. */
      readonly why: string;
      /**
       * The literal paths that would have to be folders: a glob for all test files meets `src/a.ts` only below it.
       * Empty where a pattern could not be taken apart.
       */
      readonly ifFolders: readonly string[];
      /** What to do about it, where there is more to say than to write plain globs. */
      readonly advice?: string;
    };

/** Enough for two patterns of hundreds of characters that are nothing but wildcards. */
export const WORK_FOR_ONE_PAIR = 2_000_000;

/** Exact for all that can be decided. */
export function overlap(a: PathPattern, b: PathPattern): Overlap {
  const budget = { left: WORK_FOR_ONE_PAIR };
  const theirs = compile(b);
  let sum = DISJOINT;
  for (const one of compile(a)) {
    for (const other of theirs) {
      if (!haveCommonPrefix(one.prefix, other.prefix)) continue;
      sum = both(sum, meetAlternatives(one, other, budget));
      if (sum.kind === "overlap") return sum;
    }
  }
  return sum;
}

/** What two answers about alternatives of one pair say together: a certain meeting wins over a possible one. */
export function both(a: Overlap, b: Overlap): Overlap {
  if (a.kind === "disjoint" || b.kind === "overlap") return b;
  if (b.kind === "disjoint" || a.kind === "overlap") return a;
  if (a.ifFolders.length === 0) return a;
  return b.ifFolders.length === 0 ? b : onlyBelow([...new Set([...a.ifFolders, ...b.ifFolders])]);
}

/** For two that have a common prefix. */
export function meetAlternatives(a: Alternative, b: Alternative, budget: Budget): Overlap {
  // Whatever syntax means that is not taken apart, twice the same text means twice the same.
  if (a.kind === "undecided" && b.kind === "undecided" && a.text === b.text) return certain(a.text);
  if (a.kind === "undecided") return mayOverlap(`\`${a.text}\` ${a.why}`, []);
  if (b.kind === "undecided") return mayOverlap(`\`${b.text}\` ${b.why}`, []);
  // With a common prefix one of two paths is the other, or lies below it.
  if (a.kind === "literal" && b.kind === "literal") return certain(longer(a.path, b.path));
  budget.left -= 1;
  const found = areApart(a.segments(), b.segments()) ? DISJOINT : meetDecided(a, b, budget);
  const isGivenUp = found.kind === "disjoint" && budget.left <= 0;
  return isGivenUp ? mayOverlap("the globs are too long to compare", []) : found;
}

/** Of a path that is taken for a file: nothing is below it. */
export function meetFile(file: Literal, glob: Glob, budget: Budget): Overlap {
  budget.left -= 1;
  if (glob.prefix.startsWith(file.prefix)) return certain(samplePath(glob.segments(), budget));
  budget.left -= file.path.length;
  return acceptsPath(glob.segments(), file.path) ? certain(file.path) : DISJOINT;
}

function meetDecided(a: Glob | Literal, b: Glob | Literal, budget: Budget): Overlap {
  if (a.kind === "literal") return meetLiteral(a, b, budget);
  if (b.kind === "literal") return meetLiteral(b, a, budget);
  return certain(meetPaths(a.segments(), b.segments(), budget));
}

const DISJOINT: Overlap = { kind: "disjoint" };

function haveCommonPrefix(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/**
 * A literal path may be a file or a folder, and git cannot hold both. Where the glob spells the path out and goes on
 * below it, its author knows a folder; where the glob's wildcards merely reach below the path, nobody has said so.
 */
function meetLiteral(literal: Literal, glob: Glob | Literal, budget: Budget): Overlap {
  if (glob.prefix.startsWith(literal.prefix)) return certain(samplePath(glob.segments(), budget));
  if (acceptsPath(glob.segments(), literal.path)) return certain(literal.path);
  return meetPaths(literal.segments(), glob.segments(), budget) === null
    ? DISJOINT
    : onlyBelow([literal.path]);
}

function longer(a: string, b: string): string {
  return a.length >= b.length ? a : b;
}

function certain(witness: string | null): Overlap {
  return witness === null ? DISJOINT : { kind: "overlap", witness };
}

function onlyBelow(paths: readonly string[]): Overlap {
  const [only] = paths;
  const which = paths.length === 1 ? `\`${only}\`` : `one of ${paths.length} paths`;
  return mayOverlap(`only if ${which} is a folder`, paths);
}

function mayOverlap(why: string, ifFolders: readonly string[]): Overlap {
  return { kind: "may-overlap", why, ifFolders };
}

/**
 * A cheap look before the search: true only where no path can match both. Names are compared from the front and from
 * the back, up to the first "depth", by the characters at their ends.
 */
function areApart(a: readonly Segment[], b: readonly Segment[]): boolean {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i += 1) {
    const fit = namesFit(a[i] as Segment, b[i] as Segment);
    if (fit === "no") return true;
    if (fit === "depth") return areApartFromBehind(a, b);
  }
  return asksForMore(a, common) || asksForMore(b, common);
}

function areApartFromBehind(a: readonly Segment[], b: readonly Segment[]): boolean {
  const common = Math.min(a.length, b.length);
  for (let back = 1; back <= common; back += 1) {
    const fit = namesFit(a[a.length - back] as Segment, b[b.length - back] as Segment);
    if (fit === "no") return true;
    if (fit === "depth") return false;
  }
  return false;
}

/** The other list is at its end. */
function asksForMore(segments: readonly Segment[], from: number): boolean {
  for (let i = from; i < segments.length; i += 1) if ((segments[i] as Segment).kind !== "depth") return true;
  return false;
}

function namesFit(x: Segment, y: Segment): "maybe" | "no" | "depth" {
  if (x.kind === "depth" || y.kind === "depth") return "depth";
  return (x.kind === "text" ? fitsText(y, x.text) : y.kind === "text" ? fitsText(x, y.text) : endsFit(x, y))
    ? "maybe"
    : "no";
}

/** With a wildcard between the ends of both, nothing else can keep them apart. */
function endsFit({ head, tail }: GlobSegment, other: GlobSegment): boolean {
  const front = Math.min(head.length, other.head.length);
  for (let i = 0; i < front; i += 1) if (!fits(head[i], other.head[i])) return false;
  const back = Math.min(tail.length, other.tail.length);
  for (let i = 1; i <= back; i += 1) if (!fits(tail.at(-i), other.tail.at(-i))) return false;
  return true;
}

function fitsText(segment: Exclude<Segment, { kind: "depth" }>, text: string): boolean {
  if (segment.kind === "text") return segment.text === text;
  if (/[\ud800-\udfff]/.test(text)) return true; // codes are counted otherwise there
  const { head, tail } = segment;
  if (text.length < Math.max(head.length, tail.length)) return false;
  const rest = text.length - tail.length;
  return (
    head.every((code, i) => fits(code, text.charCodeAt(i))) &&
    tail.every((code, i) => fits(code, text.charCodeAt(rest + i)))
  );
}

function fits(x: number | null | undefined, y: number | null | undefined): boolean {
  return x === y || x === null || y === null;
}
