import { buildFinding } from "./catalog/catalog.ts";
import type { FoundFinding } from "./finding.ts";
import type { CheckResult } from "./report.ts";

export function listCheckFindings(results: readonly CheckResult[]): FoundFinding[] {
  return results.flatMap(({ name, run, status, summary }) => {
    if (status === "green") return [];
    const code = status === "red" ? "check-red" : "check-not-run";
    return [buildFinding(code, { run, summary }, { about: name, at: null })];
  });
}
