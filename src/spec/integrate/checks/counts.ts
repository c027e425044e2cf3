// How much a program says that it has seen, in its own words. Of programs that do not count, nothing is known.

import type { CheckKind, CheckResult } from "../report.ts";

export type Counts = NonNullable<CheckResult["counts"]>;

/** Of what it printed; the first program whose words are found is the one. */
export function countsIn(output: string, kind: CheckKind): Counts | null {
  const text = removeColors(output);
  for (const count of kind === "tests" ? tests : problems) {
    const counts = count(text);
    if (counts !== null) return counts;
  }
  return null;
}

type Counter = (text: string) => Counts | null;

/** Several of them in one text are several suites. */
function summed(pattern: RegExp, read: (match: RegExpMatchArray) => Counts): Counter {
  return (text) => {
    const all = Array.from(text.matchAll(pattern), read);
    return all.length === 0 ? null : all.reduce(add);
  };
}

/** `2 failed | 10 passed`, `failures=1, errors=2`: each number with its word, in whichever order. */
function worded(line: string): Counts {
  const of = (words: RegExp) =>
    [...line.matchAll(/(\d+) ([a-z]+)|([a-z]+(?: [a-z]+)?)=(\d+)/gi)]
      .filter(([, , after, before]) => words.test(after ?? before ?? ""))
      .reduce((sum, [, n, , , m]) => sum + Number(n ?? m), 0);
  return {
    passed: of(/^(?:pass|passed|passing|xpassed|ok|flaky)$/),
    failed: of(/^(?:fail|failed|failing|failures|errors?|cancelled|interrupted|unexpected successes)$/),
    skipped: of(/^(?:skip|skipped|pending|todo|xfailed|ignored|expected failures)$/),
  };
}

const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

const PYTEST =
  /^(?:=+ )?((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)(?:, )?)+|no tests ran) in [\d.]+s/gm;
const UNITTEST = /^Ran (\d+) tests? in [\d.]+s\n+(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?/gm;

const tests: readonly Counter[] = [
  summed(PYTEST, ([, line = ""]) => worded(line)),
  summed(UNITTEST, ([, ran, line = ""]) => {
    const { failed, skipped } = worded(line);
    return { passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped };
  }),
  // Vitest, then Jest.
  summed(/(?:^|: )[ \t]*Tests {2,}(.*) \(\d+\)/gm, ([, line = ""]) => worded(line)),
  summed(/(?:^|: )Tests:[ \t]+(.*), \d+ total/gm, ([, line = ""]) => worded(line)),
  nodeTests,
  summed(/^[ \t]*\d+ passing(?: \(.*\))?(?:\n[ \t]*\d+ (?:failing|pending))*/gm, ([all]) => worded(all)), // Mocha
  // Playwright, which counts from the bad to the good.
  summed(
    /^(?: {2}\d+ (?:failed|flaky|skipped|interrupted|did not run)\n(?: {4}.*\n)*)* {2}\d+ passed \([\d.]+m?s\)/gm,
    ([all]) => worded(all.replace(/^ {4}.*$/gm, "")),
  ),
  summed(/^ *\d+ pass\n(?: *\d+ (?:skip|todo)\n)*(?: *\d+ fail\n)/gm, ([all]) => worded(all)), // bun
  goPackages,
];

/** As TAP has it at its end, or in its own words. */
function nodeTests(text: string): Counts | null {
  const lines = [...text.matchAll(/^(?:#|ℹ) (pass|fail|cancelled|skipped|todo) (\d+)$/gm)];
  if (!lines.some(([, name]) => name === "pass")) return null;
  return worded(lines.map(([, name, n]) => `${n} ${name}`).join(", "));
}

/** Of packages, because of tests that pass it says nothing. */
function goPackages(text: string): Counts | null {
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const counts = {
    passed: count(/^ok {2}\t\S+/gm),
    failed: count(/^FAIL\t\S+/gm),
    skipped: count(/^\?\s+\t\S+\t\[no test files\]/gm),
  };
  return counts.passed + counts.failed + counts.skipped === 0 ? null : counts;
}

const found = (n: number): Counts => ({ passed: 0, failed: n, skipped: 0 });

/** Each of them is a line of its own. */
const lines = (pattern: RegExp): Counter => summed(pattern, () => found(1));

const problems: readonly Counter[] = [
  summed(/^Found (\d+) errors? in \d+ files?/gm, ([, n]) => found(Number(n))), // mypy, and tsc for people
  summed(/^Success: no issues found in \d+ source files?/gm, () => found(0)),
  summed(/^(\d+) errors?, \d+ warnings?, \d+ (?:informations?|notes?)/gm, ([, n]) => found(Number(n))), // pyright
  summed(/^Found \d+ warnings? and (\d+) errors?\./gm, ([, n]) => found(Number(n))), // oxlint
  summed(/^Found (\d+) errors?\b/gm, ([, n]) => found(Number(n))), // Ruff, Biome
  summed(/^All checks passed!/gm, () => found(0)),
  summed(/^✖ (\d+) problems?/gm, ([, n]) => found(Number(n))), // ESLint
  summed(/^(\d+) issues?[.:]/gm, ([, n]) => found(Number(n))), // golangci-lint
  summed(/^System check identified (no|\d+) issues?/gm, ([, n]) => found(n === "no" ? 0 : Number(n))),
  lines(/\berror TS\d+:/g),
  lines(/^\S+\.py:\d+:\d+: [A-Z]+\d+ /gm), // flake8
  lines(/^(?:vet: )?\S+\.go:\d+:\d+: /gm),
];

export function removeColors(text: string): string {
  return text.replace(COLOURS, "").replaceAll("\r\n", "\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what they begin with
const COLOURS = /\u001b\[[\d;]*[A-Za-z]/g;
