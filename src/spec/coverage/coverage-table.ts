import { expandBraces } from "../../core/ownership/braces.ts";
import { isCoveredBy } from "../requirements/read-requirements.ts";
import type { OutOfScope, SpecRequirement } from "../spec-contents.ts";

export type CoverageRow = SpecRequirement & {
  readonly tasks: readonly string[];
  /** Files of these tasks, without their tests. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Why it is deliberately not built; null where it is. */
  readonly outOfScope: string | null;
};

export type CoverageInput = {
  readonly requirements: readonly SpecRequirement[];
  readonly outOfScope: readonly OutOfScope[];
  readonly tasks: readonly {
    readonly id: string;
    readonly covers: readonly string[];
    /** Paths: those that it owns, or those that it changed. */
    readonly files: readonly string[];
  }[];
};

/** Requirement → tasks → files → tests, in the order of the documents. */
export function buildCoverageTable({ requirements, outOfScope, tasks }: CoverageInput): CoverageRow[] {
  return requirements.map((requirement) => {
    const isNamed = (id: string) => isCoveredBy(requirement, id);
    const own = tasks.filter(({ covers }) => covers.some(isNamed));
    const paths = [...new Set(own.flatMap(({ files }) => files.flatMap(pathsIn)))].sort();
    return {
      ...requirement,
      tasks: own.map(({ id }) => id),
      files: paths.filter((path) => !isTestFile(path)),
      tests: paths.filter(isTestFile),
      outOfScope: outOfScope.find(({ id }) => isNamed(id))?.reason ?? null,
    };
  });
}

/** As a task owns them, but for `{src/a,test/a.test}.js`, which is a file and its test. */
function pathsIn(owned: string): readonly string[] {
  const path = owned.replace(/::.*$/, "");
  const expansion = expandBraces(path);
  if (expansion.kind !== "texts") return [path];
  const { texts } = expansion;
  return texts.some(isTestFile) && !texts.every(isTestFile) ? texts : [path];
}

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|(?:^|\/)(?:tests?|test_[^/]*|conftest)\.py$|(?:_test\.(?:py|go)|\.(?:test|spec)\.[cm]?[jt]sx?)$/;

/** By its name; a pattern of files counts like one of them. */
function isTestFile(path: string): boolean {
  return TEST.test(path);
}
