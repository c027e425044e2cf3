import semver from "semver";
import type { Ranges } from "./ranges.ts";

/** Ranges of npm, by its own library. */
export const nodeRanges: Ranges = {
  isRange: (text) => semver.validRange(text) !== null,
  isVersion: (text) => semver.valid(text) !== null,
  satisfies: (version, range) => semver.satisfies(version, range),
  areDisjoint: (a, b) => !semver.intersects(a, b),
  compare: (a, b) => semver.compare(a, b),
  isStable: (version) => semver.prerelease(version) === null,
  joined,
};

/** What another of them implies is left out; where each has alternatives, every pair of them is one. */
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
    const pairs = all.split("||").flatMap((a) => range.split("||").map((b) => `${a.trim()} ${b.trim()}`));
    return pairs.join(" || ");
  }, "");
}
