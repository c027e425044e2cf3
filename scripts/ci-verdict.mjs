// The last word of a CI run: node scripts/ci-verdict.mjs <folder of reports> [step that failed...]. It prints the
// counts over all reports and fails when a test failed, when a test was skipped (CI installed what it asked for, so it
// should have run), or when a step failed. A failed step without a failed test of its own counts as one failure.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addCounts, countReport, printCounts } from "./test-report.mjs";

const [folder, ...failedSteps] = process.argv.slice(2);
const nothing = { passed: 0, failed: [], skipped: [] };
const reports = new Map(
  readdirSync(folder).map((file) => [file.replace(/\.json$/, ""), countReport(join(folder, file))]),
);

let total = [...reports.values()].reduce(addCounts, nothing);
for (const step of failedSteps) {
  if (!reports.get(step)?.failed.length) total = addCounts(total, { ...nothing, failed: [`step ${step}`] });
}
if (reports.size === 0 && failedSteps.length === 0) total = { ...nothing, failed: ["no reports"] };
if (total.skipped.length > 0)
  console.log("These tests were skipped, although all that they need was to be installed:");
printCounts(total);
if (total.failed.length > 0 || total.skipped.length > 0) process.exitCode = 1;
