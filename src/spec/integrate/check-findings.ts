import type { FoundFinding } from "./finding.ts";
import type { CheckResult } from "./report.ts";

/** A red check blocks; one that was not run proves nothing, and is told. */
export function checkFindings(results: readonly CheckResult[]): FoundFinding[] {
  return results.flatMap(({ name, run, status, summary }): FoundFinding[] => {
    if (status === "green") return [];
    const about = { area: "checks", about: name, at: null } as const;
    return status === "red"
      ? [{ ...about, code: "check-red", weight: "must", message: `${run}: ${summary}` }]
      : [
          {
            ...about,
            code: "check-not-run",
            weight: "should",
            message: `${run} was not run: ${summary}`,
          } as const,
        ];
  });
}
