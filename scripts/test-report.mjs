// Reads the JSON reports of test suites and counts them. A test file that could not even be loaded counts as one failed
// test, and so does a report that is missing or holds no test: nothing seen is not success.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./tools.mjs";

/** The counts of one report, with the names of the tests that did not run. */
export function countReport(path) {
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const file of readFiles(path)) {
    for (const test of file.assertionResults) {
      if (test.status === "passed") counts.passed++;
      else if (test.status === "failed") counts.failed++;
      else counts.skipped.push(`${relative(root, file.name)}: ${test.fullName}`);
    }
    if (file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"))
      counts.failed++;
  }
  if (counts.passed + counts.failed + counts.skipped.length === 0) counts.failed = 1;
  return counts;
}

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: [...a.skipped, ...b.skipped] };
}

export function printCounts(counts) {
  for (const name of counts.skipped) console.log(`skipped: ${name}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped`);
}

function readFiles(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch (error) {
    console.error(`no report of tests: ${error.message}`);
    return [];
  }
}
