import { matcher } from "./match.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/** One changed path that a task should not have changed, or of which nobody can tell. */
export type ChangeFinding =
  | { readonly kind: "outside"; readonly path: string }
  | { readonly kind: "boundary"; readonly path: string; readonly pattern: PathPattern }
  | { readonly kind: "unsure"; readonly path: string; readonly pattern: PathPattern };

/** A changed path that is among what its task owns. */
export type CoveredChange = {
  readonly kind: "covered";
  readonly path: string;
  /** The parts of the file that are owned; null: all of it. */
  readonly symbols: readonly string[] | null;
  /** A claim of which it cannot be told whether it covers the path too, and with it more than these symbols. */
  readonly unsure: PathPattern | null;
};

/**
 * Compares what an attempt changed with what its task may change, in the order of the paths, one finding a path.
 * A boundary counts more than a missing claim. Claims on a symbol count for their whole file: paths know no symbols.
 */
export function checkChange(
  owns: readonly Claim[],
  boundary: readonly PathPattern[],
  changed: readonly string[],
): ChangeFinding[] {
  const judge = changeJudge(owns, boundary);
  return changed.flatMap((path) => {
    const verdict = judge(path);
    return verdict.kind === "covered" ? [] : [verdict];
  });
}

/** The same for one path after the other, and what of a file is owned where it may be changed. */
export function changeJudge(
  owns: readonly Claim[],
  boundary: readonly PathPattern[],
): (path: string) => ChangeFinding | CoveredChange {
  const claims = owns.map(({ pattern, symbol }) => ({ pattern, symbol, covers: matcher(pattern) }));
  const forbidden = boundary.map((pattern) => ({ pattern, covers: matcher(pattern) }));
  return (path) => {
    const barred = verdictOn(path, forbidden);
    if (barred.matched === true) return { kind: "boundary", path, pattern: barred.pattern };
    const allowed = verdictOn(path, claims);
    if (allowed.matched === false && owns.length > 0) return { kind: "outside", path };
    if (barred.matched === "unknown") return { kind: "unsure", path, pattern: barred.pattern };
    if (allowed.matched === "unknown") return { kind: "unsure", path, pattern: allowed.pattern };
    return coveredBy(path, claims);
  };
}

function coveredBy(path: string, claims: readonly (Ready & Pick<Claim, "symbol">)[]): CoveredChange {
  const symbols = new Set<string>();
  let unsure: PathPattern | null = null;
  for (const { pattern, symbol, covers } of claims) {
    const matched = covers(path);
    if (matched === "unknown") unsure ??= pattern;
    if (matched !== true) continue;
    if (symbol === null) return { kind: "covered", path, symbols: null, unsure: null };
    symbols.add(symbol);
  }
  // Without any claim a task may change everything.
  return { kind: "covered", path, symbols: symbols.size === 0 ? null : [...symbols], unsure };
}

type Ready = {
  readonly pattern: PathPattern;
  readonly covers: (path: string) => boolean | "unknown";
};
type Verdict =
  | { readonly matched: false }
  | { readonly matched: true | "unknown"; readonly pattern: PathPattern };

/** The first pattern that covers the path; failing that, the first that might. */
function verdictOn(path: string, patterns: readonly Ready[]): Verdict {
  let best: Verdict = { matched: false };
  for (const { pattern, covers } of patterns) {
    const matched = covers(path);
    if (matched === true) return { matched, pattern };
    if (matched === "unknown" && best.matched === false) best = { matched, pattern };
  }
  return best;
}

/** What a task was to create and did not: its `create` claims that no path of the tree fits. */
export function findMissingCreations(owns: readonly Claim[], paths: readonly string[]): PathPattern[] {
  return listCreations(owns).filter((pattern) => {
    const covers = matcher(pattern);
    return !paths.some((path) => covers(path) !== false);
  });
}

/** Whole files and folders: a symbol is a part of a file that exists. */
export function listCreations(owns: readonly Claim[]): PathPattern[] {
  return owns
    .filter(({ mode, symbol }) => mode === "create" && symbol === null)
    .map(({ pattern }) => pattern);
}

/** It stands for files whose names are not known. */
export function isGlob(pattern: PathPattern): boolean {
  return /[*?[{\\]/.test(pattern);
}
