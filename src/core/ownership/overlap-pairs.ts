import type { Alternative, Glob, Literal } from "./compile.ts";
import { type Entry, entriesOf, findOtherLetters, popOthers } from "./entries.ts";
import type { Budget } from "./meet-segments.ts";
import { both, meetAlternatives, meetFile, type Overlap, WORK_FOR_ONE_PAIR } from "./overlap.ts";
import type { PathPattern } from "./pattern.ts";

/** Two patterns that meet or may meet, by their places in the list; a is before b. */
export type OverlapPair = { readonly a: number; readonly b: number; readonly overlap: Overlap };

export type OverlapSearch = {
  readonly patterns: readonly PathPattern[];
  /** Whether it matters that two of them meet; asked before they are compared, with a before b. */
  readonly matters: (a: number, b: number) => boolean;
  /** Takes a pair, which may come once for each way in which the two meet. False ends the search. */
  readonly visit: (pair: OverlapPair) => boolean;
  /** For what is not cheap. A caller with many lists shares one. */
  readonly work: Budget;
};

/** Pairs that were left out because the work ran out, and one of the globs in them. */
export type NotCompared = { readonly pairs: number; readonly glob: PathPattern | null };

/** One or two seconds at worst; honest plans need a hundredth of it. */
export const workForAll = (): Budget => ({ left: 80_000_000 });

/** What a look at two patterns costs that are not told apart by their ends. */
const WORK_OF_A_PAIR = 4;
/** What keeping a pair costs, so that their number stays bounded too. */
const WORK_OF_AN_OVERLAP = 200;

/**
 * All pairs of patterns that meet and matter, without comparing all pairs. Cheap and certain answers come first: plain
 * paths against plain paths, whatever their number; then paths against globs, then globs against globs, as long as there
 * is work left; last, paths that are one where upper and lower case do not matter. A path that looks like a file is
 * taken for one, which has nothing below it.
 */
export function searchOverlaps(search: OverlapSearch): NotCompared {
  const entries = entriesOf(search.patterns);
  const walk: Walk = { ...search, notCompared: 0, glob: null };
  const hasEnded = passes.some((pass) => !goThrough(entries, pass, walk));
  if (!hasEnded) findOtherLetters(entries, (x, y, overlap) => visitPair(walk, [x, y], () => overlap));
  return { pairs: walk.notCompared, glob: walk.glob };
}

/** More than anybody looks at. */
const MOST_OVERLAPS = 200_000;

/** All of them as a list, for a reader who is content with the first many; each pair once. */
export function findOverlaps(
  patterns: readonly PathPattern[],
  work: Budget = { left: 10_000_000 },
): { overlaps: OverlapPair[]; complete: boolean } {
  const found = new Map<number, OverlapPair>();
  const { pairs } = searchOverlaps({
    patterns,
    work,
    matters: () => true,
    visit: (pair) => {
      const key = pair.a * patterns.length + pair.b;
      const before = found.get(key);
      found.set(key, before ? { ...before, overlap: both(before.overlap, pair.overlap) } : pair);
      return found.size < MOST_OVERLAPS;
    },
  });
  return { overlaps: [...found.values()], complete: pairs === 0 && found.size < MOST_OVERLAPS };
}

type Walk = OverlapSearch & { notCompared: number; glob: PathPattern | null };

/** For each kind of entry the kind that it is compared with. */
type Kind = "path" | "glob";
type Pass = { readonly [Entry in Kind]: Kind | null };
const passes: readonly Pass[] = [
  { path: "path", glob: null },
  { path: "glob", glob: "path" },
  { path: null, glob: "glob" },
];

/** The stacks hold exactly those whose paths can begin like the current one's. False where the visitor has enough. */
function goThrough(entries: readonly Entry[], pass: Pass, walk: Walk): boolean {
  const stacks: { readonly [K in Kind]: Entry[] } = { path: [], glob: [] };
  for (const entry of entries) {
    popOthers(stacks.path, entry.prefix);
    popOthers(stacks.glob, entry.prefix);
    const kind = entry.alternative.kind === "literal" ? "path" : "glob";
    const against = pass[kind];
    if (against !== null && !compareWith(entry, stacks[against], walk)) return false;
    stacks[kind].push(entry);
  }
  return true;
}

function compareWith(entry: Entry, others: readonly Entry[], walk: Walk): boolean {
  const isPath = entry.alternative.kind === "literal";
  for (let i = 0; i < others.length; i += 1) {
    const other = others[i] as Entry;
    const isFree = isPath && other.alternative.kind === "literal";
    if (!isFree && walk.work.left <= 0) {
      walk.notCompared += others.length - i;
      walk.glob ??= walk.patterns[isPath ? other.index : entry.index] ?? null;
      return true;
    }
    walk.work.left -= 1;
    if (other.index === entry.index || !haveCommonEnd(other.alternative, entry.alternative)) continue;
    if (!visitPair(walk, [other, entry], () => meet(other.alternative, entry.alternative, walk.work)))
      return false;
  }
  return true;
}

/** Told apart at a glance, before anything else is asked. */
function haveCommonEnd(x: Alternative, y: Alternative): boolean {
  if (x.kind === "glob" && y.kind === "glob") return x.tail.endsWith(y.tail) || y.tail.endsWith(x.tail);
  if (x.kind === "literal" && y.kind === "glob") return fileFits(x, y);
  return x.kind !== "glob" || y.kind !== "literal" || fileFits(y, x);
}

/** Where the glob spells the path out and goes on below it, its author knows a folder. */
function fileFits(path: Literal, glob: Glob): boolean {
  return !path.looksLikeFile || path.path.endsWith(glob.tail) || glob.prefix.startsWith(path.prefix);
}

function visitPair(walk: Walk, [x, y]: readonly [Entry, Entry], compare: () => Overlap): boolean {
  const [a, b] = [Math.min(x.index, y.index), Math.max(x.index, y.index)];
  if (!walk.matters(a, b)) return true;
  const overlap = compare();
  return overlap.kind === "disjoint" || walk.visit({ a, b, overlap });
}

function meet(a: Alternative, b: Alternative, work: Budget): Overlap {
  const budget = { left: WORK_FOR_ONE_PAIR };
  const overlap = meetKnowingFiles(a, b, budget);
  work.left -= WORK_OF_A_PAIR + WORK_FOR_ONE_PAIR - Math.max(0, budget.left);
  if (overlap.kind !== "disjoint") work.left -= WORK_OF_AN_OVERLAP;
  return overlap;
}

function meetKnowingFiles(a: Alternative, b: Alternative, budget: Budget): Overlap {
  if (a.kind === "literal" && b.kind === "glob" && a.looksLikeFile) return meetFile(a, b, budget);
  if (b.kind === "literal" && a.kind === "glob" && b.looksLikeFile) return meetFile(b, a, budget);
  return meetAlternatives(a, b, budget);
}
