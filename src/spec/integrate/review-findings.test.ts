import { expect, test } from "vitest";
import type { CheckResult } from "./report.ts";
import { listCheckFindings } from "./review-findings.ts";

test("a red check blocks, one that was not run is told, a green one is nothing to say about", () => {
  const result = (status: CheckResult["status"], summary: string): CheckResult => ({
    ...{ name: "unit", kind: "tests", run: "make test", counts: null, durationMs: 1, output: "" },
    ...{ status, summary },
  });
  const told = [
    result("green", "exit code 0"),
    result("red", "1 failed"),
    result("not-run", "it was stopped"),
  ];
  expect(listCheckFindings(told).map(({ code, weight, message }) => [code, weight, message])).toEqual([
    ["check-red", "must", "`make test`: 1 failed"],
    ["check-not-run", "should", "`make test` was not run: it was stopped"],
  ]);
});
