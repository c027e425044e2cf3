// `npm test`: set-up, then every test that needs no more than Node, npm and git; the others are those of `npm run extras` and
// `npm run sweep`. Arguments go to Vitest, so `npm test -- src/core` works, for all of them. The names of skipped tests are listed at the end, because a test that did not run is easily taken for one
// that passed. PLAIT_TEST_JSON=<file> keeps the report.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { countReport, printCounts } from "./test-report.mjs";
import { exitCodeOf, runTool } from "./tools.mjs";

ensureInstalled();
ensureBuilt();

const scratch = mkdtempSync(join(tmpdir(), "plait-test-"));
const report = process.env.PLAIT_TEST_JSON || join(scratch, "report.json");
const json = process.env.PLAIT_TEST_JSON
  ? "json"
  : fileURLToPath(new URL("quiet-report.mjs", import.meta.url));
const reporters = ["--reporter=default", `--reporter=${json}`, `--outputFile.json=${report}`];
rmSync(report, { force: true }); // an old report must not speak for this run

const words = process.argv.slice(2);
const chosen = words.length === 0 ? ["--project=units", "--project=whole"] : words;
const code = exitCodeOf(runTool("vitest", ["run", ...reporters, ...chosen]));
const counts = countReport(report);
printCounts(counts);
rmSync(scratch, { recursive: true });
process.exitCode = code === 0 && counts.failed.length > 0 ? 1 : code;
