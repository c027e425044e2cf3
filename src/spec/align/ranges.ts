import type { Ecosystem } from "../../formats/packages/spec.ts";

/** What versions and ranges mean in one ecosystem. Ranges are texts; the empty one takes every version. */
export type Ranges = {
  readonly isRange: (text: string) => boolean;
  readonly isVersion: (text: string) => boolean;
  readonly satisfies: (version: string, range: string) => boolean;
  /** No version can be in both, whichever there are. */
  readonly areDisjoint: (a: string, b: string) => boolean;
  /** Below zero where the first is the older. */
  readonly compare: (a: string, b: string) => number;
  readonly isStable: (version: string) => boolean;
  /** One range that means all of these. */
  readonly joined: (ranges: readonly string[]) => string;
};

/** Loaded when it is needed: whoever has no Node packages needs no semver. */
export async function rangesOf(ecosystem: Ecosystem): Promise<Ranges> {
  return ecosystem === "python"
    ? (await import("./python-ranges.ts")).pythonRanges
    : (await import("./node-ranges.ts")).nodeRanges;
}

/** Of the versions that satisfy all ranges the highest; what is not stable only where nothing else is there. */
export function newestOf(
  { satisfies, compare, isStable }: Ranges,
  versions: readonly string[],
  all: readonly string[],
): string | null {
  const fitting = versions.filter((version) => all.every((range) => satisfies(version, range)));
  const stable = fitting.filter(isStable);
  return (stable.length > 0 ? stable : fitting).toSorted(compare).at(-1) ?? null;
}
