import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { appendSummary } from "./step-summary.ts";

const folder = mkdtempSync(join(tmpdir(), "plait-summary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [file, report] = [join(folder, "summary.md"), join(folder, "report.md")];

test("a report is appended to a step summary, and what has no room is told", async () => {
  writeFileSync(report, "# One\n");
  expect(await appendSummary(file, report)).toBe(null);
  writeFileSync(report, `# Two\n${"a line of the report, ü\n".repeat(60_000)}`);
  expect(await appendSummary(file, report)).toBe(null);
  expect(statSync(file).size).toBeLessThanOrEqual(1024 * 1024);
  expect(readFileSync(file, "utf8")).toMatch(
    /^# One\n# Two\na line.*report, ü\n\n\n\*[\d,]+ bytes of the report left out\.\*\n$/s,
  );
  expect(await appendSummary(file, report)).toBe(null);
  expect(statSync(file).size).toBeLessThanOrEqual(1024 * 1024);
});

test("what cannot be written is a word and no failure", async () => {
  expect(await appendSummary(join(folder, "no", "summary.md"), report)).toContain("ENOENT");
});
