import type { Diagnostic } from "../source.ts";

/** What one list of findings tells at most: nobody reads more, and a machine would drown as well. */
export const MOST_OF_A_CODE = 200;
const MOST_OF_ALL = 500;

/** By code, how many more there are than are listed. */
export type Unlisted = ReadonlyMap<string, number>;

/**
 * The first of each code, and of all together, errors before warnings before notes; in the order in which they came.
 * `before` are those that were left out earlier.
 */
export function bounded(
  diagnostics: readonly Diagnostic[],
  before: Unlisted = new Map(),
): { readonly shown: Diagnostic[]; readonly unlisted: Unlisted } {
  const unlisted = new Map(before);
  const counts = new Map<string, number>();
  const leaveOut = ({ code }: Diagnostic) => unlisted.set(code, (unlisted.get(code) ?? 0) + 1);
  const first = diagnostics.filter((one) => {
    const count = (counts.get(one.code) ?? 0) + 1;
    counts.set(one.code, count);
    if (count > MOST_OF_A_CODE) leaveOut(one);
    return count <= MOST_OF_A_CODE;
  });
  const ranked = severities.flatMap((severity) => first.filter((one) => one.severity === severity));
  const kept = new Set(ranked.slice(0, MOST_OF_ALL));
  for (const one of ranked.slice(MOST_OF_ALL)) leaveOut(one);
  return { shown: first.filter((one) => kept.has(one)), unlisted };
}

const severities = ["error", "warning", "note"] as const;

/** What was left out in two places. */
export function joined(a: Unlisted, b: Unlisted): Unlisted {
  const sum = new Map(a);
  for (const [code, count] of b) sum.set(code, (sum.get(code) ?? 0) + count);
  return sum;
}
