import {
  comparePythonVersions,
  compareReleases,
  isPreRelease,
  type PythonVersion,
  parsePythonVersion,
} from "../../formats/packages/pep440.ts";
import { type Clause, parseClauses } from "../../formats/packages/spec.ts";
import type { Ranges } from "./ranges.ts";

/** Specifier sets of PEP 440: every clause must hold. */
export const pythonRanges: Ranges = {
  isRange: (text) => typeof parseClauses(text) !== "string",
  isVersion: (text) => parsePythonVersion(text) !== null,
  satisfies: (version, range) => holds(version, clausesOf(range)),
  areDisjoint,
  compare: (a, b) => comparePythonVersions(versionOf(a), versionOf(b)),
  isStable: (version) => !isPreRelease(versionOf(version)),
  joined: (ranges) => [...new Set(ranges.flatMap((range) => range.split(",")))].filter(Boolean).join(","),
};

function clausesOf(range: string): readonly Clause[] {
  const clauses = parseClauses(range);
  if (typeof clauses === "string") throw new Error(`${range} ${clauses}`); // ranges are checked when they are read
  return clauses;
}

/** Something must be compared where a lock file has a version that is not valid in PEP 440: it is older than all. */
function versionOf(text: string): PythonVersion {
  const none = { epoch: -1, release: [0], pre: null, post: null, dev: null, local: [] };
  return parsePythonVersion(text) ?? none;
}

/** A version that is not stable is meant only by a clause that names one. */
function holds(text: string, clauses: readonly Clause[]): boolean {
  const version = parsePythonVersion(text);
  if (version === null) return clauses.length > 0 && clauses.every((clause) => isLiterally(text, clause));
  const named = clauses.filter(({ operator }) => operator !== "!=");
  const allowsPre = named.some(({ version: v }) => isPreRelease(versionOf(v.replace(/\.\*$/, ""))));
  if (isPreRelease(version) && !allowsPre) return false;
  return clauses.every((clause) => meets({ text, version }, clause));
}

type Candidate = { readonly text: string; readonly version: PythonVersion };

function meets({ text, version }: Candidate, { operator, version: written }: Clause): boolean {
  if (operator === "===") return isLiterally(text, { operator, version: written });
  if (written.endsWith(".*"))
    return hasPrefix(version, versionOf(written.slice(0, -2))) === (operator === "==");
  const limit = versionOf(written);
  // A local label counts only where the clause has one.
  const order = comparePythonVersions(limit.local.length === 0 ? { ...version, local: [] } : version, limit);
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<=":
      return order <= 0;
    case ">=":
      return order >= 0;
    case "~=":
      return order >= 0 && hasPrefix(version, { ...limit, release: limit.release.slice(0, -1) });
    case "<": // 2.0rc1 is before 2.0, and not what somebody wants who says "before 2.0"
      return order < 0 && !(isPreRelease(version) && !isPreRelease(limit) && isSameRelease(version, limit));
    case ">":
      return order > 0 && !(version.post !== null && limit.post === null && isSameRelease(version, limit));
  }
}

function isLiterally(text: string, { operator, version }: Clause): boolean {
  return operator === "===" && text.toLowerCase() === version.toLowerCase();
}

function hasPrefix(version: PythonVersion, { epoch, release }: PythonVersion): boolean {
  return version.epoch === epoch && release.every((part, i) => (version.release[i] ?? 0) === part);
}

function isSameRelease(a: PythonVersion, b: PythonVersion): boolean {
  return a.epoch === b.epoch && compareReleases(a.release, b.release) === 0;
}

/**
 * Whether a clause holds changes only at the versions that clauses name. So it is enough to try those, and what lies right behind
 * each of them, the next step of the last number, and the beginning.
 */
function areDisjoint(a: string, b: string): boolean {
  const clauses = [...clausesOf(a), ...clausesOf(b)];
  const tried = ["0", ...clauses.flatMap(({ version }) => [version, ...neighbours(version)])];
  return !tried.some((version) => holds(version, clauses));
}

function neighbours(written: string): string[] {
  const version = parsePythonVersion(written.replace(/\.\*$/, ""));
  if (version === null) return [];
  const { epoch, release, pre, post, dev } = version;
  const start = `${epoch}!${release.join(".")}`;
  const last = release.at(-1) ?? 0;
  const steps = release.map(
    (_, i) => `${epoch}!${[...release.slice(0, i), (release[i] ?? 0) + 1].join(".")}`,
  );
  const phase = pre === null ? "" : pre.join("");
  return [
    start,
    `${start}.0.0.1`,
    ...steps,
    ...(last > 0 ? [`${epoch}!${[...release.slice(0, -1), last - 1, 99_999].join(".")}`] : []),
    ...(pre === null ? [] : [`${start}${pre[0]}${pre[1] + 1}`]),
    ...(post === null ? [] : [`${start}${phase}.post${post + 1}`]),
    ...(dev === null ? [] : [`${start}${phase}.dev${dev + 1}`]),
  ];
}
