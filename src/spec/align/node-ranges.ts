import semver from "semver";
import type { Ranges } from "./ranges.ts";

export const nodeRanges: Ranges = {
  isRange: (text) => semver.validRange(text) !== null,
  isVersion: (text) => semver.valid(text) !== null,
  satisfies: (version, range) => semver.satisfies(version, range),
  areDisjoint: (a, b) => !semver.intersects(a, b),
  compare: (a, b) => semver.compare(a, b),
  isStable: (version) => semver.prerelease(version) === null,
  joined,
};

/** So many alternatives, and no more, has a range that is joined of others. */
const MOST_ALTERNATIVES = 32;

/**
 * What another of them implies is left out; where each has alternatives, every pair of them that can be had together is one. Of very
 * many the last ones are kept, which mostly are the newest: what is in these is in all ranges still.
 */
function joined(ranges: readonly string[]): string {
  const said = [...new Set(ranges)].filter((range) => range !== "");
  const needed = said.filter(
    (range, i) =>
      !said.some(
        (other, n) => n !== i && semver.subset(other, range) && !(n > i && semver.subset(range, other)),
      ),
  );
  return needed.reduce((all, range) => {
    if (all === "") return range;
    const pairs = alternatives(all).flatMap((a) => alternatives(range).map((b) => [a, b] as const));
    const possible = pairs.filter(([a, b]) => semver.intersects(a, b));
    // Where nothing can be in all, that is what it says.
    const kept = possible.length === 0 ? pairs.slice(0, 1) : possible.slice(-MOST_ALTERNATIVES);
    return kept.map((pair) => pair.join(" ")).join(" || ");
  }, "");
}

/** `1 - 2` cannot stand beside anything else, so it is put in other words. */
function alternatives(range: string): string[] {
  return range.split("||").map((one) => (/\s-\s/.test(one) ? (semver.validRange(one) ?? one) : one).trim());
}
