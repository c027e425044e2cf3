import type { Diagnostic } from "../core/source.ts";

/** In the order of the file. The same alias used in ten tasks has the same problem ten times; it is said once. */
export function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const one of [...diagnostics].sort(byPlace)) {
    const key = JSON.stringify([one.code, one.at, one.message]);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.at?.start, b.at?.start];
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.col ?? 0) - (other?.col ?? 0);
}
