// How facts written by an older plait are read by this one: a chain of steps, each from one version to the next, applied
// while reading. The file itself is never rewritten: a writer that opens an old journal adds a header of its own
// version, and its facts follow that. A released step is never changed; a new version gets a new step at the end.

import { newer } from "./failure.ts";

/** Turns one fact of version `from` into the facts of version `to` that say the same. */
export type Upgrade = {
  readonly from: number;
  readonly to: number;
  readonly fact: (old: unknown) => readonly unknown[];
};

/** The steps of this plait. The version it writes is where the last one leads. */
export const upgrades: readonly Upgrade[] = [];

/** The version that a plait with these steps writes. */
export function currentVersion(steps: readonly Upgrade[]): number {
  let version = 1;
  for (const step of steps) {
    if (step.from !== version || step.to !== version + 1) {
      throw new Error(
        `upgrade steps must lead on one by one: found ${step.from} to ${step.to} after ${version}`,
      );
    }
    version = step.to;
  }
  return version;
}

/** Refuses a version that these steps do not know. */
export function requireKnown(path: string, version: number, steps: readonly Upgrade[]): void {
  const known = currentVersion(steps);
  if (version > known) throw newer(path, version, known);
}

/** A fact of some older version as facts of the current one. */
export function upgradeFact(fact: unknown, version: number, steps: readonly Upgrade[]): readonly unknown[] {
  let facts: readonly unknown[] = [fact];
  for (const step of steps.slice(version - 1)) facts = facts.flatMap(step.fact);
  return facts;
}
