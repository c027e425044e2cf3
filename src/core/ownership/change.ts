import { matcher } from "./match.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/** One changed path that a task should not have changed, or of which nobody can tell. */
export type ChangeFinding =
  | { readonly kind: "outside"; readonly path: string }
  | { readonly kind: "boundary"; readonly path: string; readonly pattern: PathPattern }
  | { readonly kind: "unsure"; readonly path: string; readonly pattern: PathPattern };

/**
 * Compares what an attempt changed with what its task may change, in the order of the paths, one finding a path.
 * A boundary counts more than a missing claim. Claims on a symbol count for their whole file: a diff knows no symbols.
 */
export function checkChange(
  owns: readonly Claim[],
  boundary: readonly PathPattern[],
  changed: readonly string[],
): ChangeFinding[] {
  const claimed = ready(owns.map(({ pattern }) => pattern));
  const forbidden = ready(boundary);
  return changed.flatMap((path): ChangeFinding[] => {
    const barred = verdictOn(path, forbidden);
    if (barred.matched === true) return [{ kind: "boundary", path, pattern: barred.pattern }];
    const allowed = verdictOn(path, claimed);
    if (allowed.matched === false && owns.length > 0) return [{ kind: "outside", path }];
    if (barred.matched === "unknown") return [{ kind: "unsure", path, pattern: barred.pattern }];
    if (allowed.matched === "unknown") return [{ kind: "unsure", path, pattern: allowed.pattern }];
    return [];
  });
}

type Ready = readonly {
  readonly pattern: PathPattern;
  readonly covers: (path: string) => boolean | "unknown";
}[];
type Verdict =
  | { readonly matched: false }
  | { readonly matched: true | "unknown"; readonly pattern: PathPattern };

function ready(patterns: readonly PathPattern[]): Ready {
  return patterns.map((pattern) => ({ pattern, covers: matcher(pattern) }));
}

/** The first pattern that covers the path; failing that, the first that might. */
function verdictOn(path: string, patterns: Ready): Verdict {
  let best: Verdict = { matched: false };
  for (const { pattern, covers } of patterns) {
    const matched = covers(path);
    if (matched === true) return { matched, pattern };
    if (matched === "unknown" && best.matched === false) best = { matched, pattern };
  }
  return best;
}
