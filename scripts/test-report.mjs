// Reads the JSON reports of test suites and counts them. A test file that could not even be loaded counts as one failed
// test, and so does a report that is missing or holds no test: nothing seen is not success.
import { readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { root } from "./tools.mjs";

/** How many tests of one report passed, with the names of those that failed or did not run. */
export function countReport(path) {
  const counts = { passed: 0, failed: [], skipped: [] };
  for (const file of readFiles(path)) {
    const name = relative(root, file.name);
    for (const test of file.assertionResults) {
      if (test.status === "passed") counts.passed++;
      else if (test.status === "failed")
        counts.failed.push(`${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
      else counts.skipped.push(`${name}: ${test.fullName}`);
    }
    if (file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"))
      counts.failed.push(`${name}: ${firstLine(file.message)}`);
  }
  if (counts.passed + counts.failed.length + counts.skipped.length === 0)
    counts.failed.push(`${basename(path)}: no tests`);
  return counts;
}

export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: [...a.failed, ...b.failed],
    skipped: [...a.skipped, ...b.skipped],
  };
}

/** Failed and skipped tests by name, because their own output may be far above or cut off; then the counts. */
export function printCounts(counts) {
  for (const name of counts.failed) console.log(`failed: ${name}`);
  for (const name of counts.skipped) console.log(`skipped: ${name}`);
  console.log(`${counts.passed} passed, ${counts.failed.length} failed, ${counts.skipped.length} skipped`);
}

function firstLine(message = "") {
  return (message.split("\n", 1)[0] ?? "").slice(0, 300);
}

function readFiles(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch (error) {
    console.error(`no report of tests: ${error.message}`);
    return [];
  }
}
