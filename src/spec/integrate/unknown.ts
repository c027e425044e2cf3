// What is not known is not green: where most of what was asked could not be compared or run, nobody may take the rest for a verdict.

import { count } from "../../core/select/preview/words.ts";
import type { IntegrationFinding } from "./finding.ts";
import type { CheckResult, ReportedVerdict } from "./report.ts";

type Seen = {
  readonly types: readonly ReportedVerdict[] | null;
  readonly endpoints: readonly ReportedVerdict[] | null;
  /** Null: not asked for. */
  readonly checks: readonly CheckResult[] | null;
  readonly findings: readonly Pick<IntegrationFinding, "area" | "code">[];
};

/** A clause for each area of which more than half is unclear, or all. */
export function unknownAreas({ types, endpoints, checks, findings }: Seen): string[] {
  return [
    ...ofVerdicts(endpoints, "endpoint"),
    ...ofVerdicts(types, "type"),
    ...(types === null && findings.some(({ code }) => code === "type-unclear") ? ["no types compared"] : []),
    ...ofChecks(checks),
  ];
}

function ofVerdicts(verdicts: readonly ReportedVerdict[] | null, what: string): string[] {
  const asked = (verdicts ?? []).filter(({ status }) => status !== "extra");
  const unclear = asked.filter(({ status }) => status === "cannot-tell").length;
  return unclear * 2 > asked.length ? [`${unclear} of ${count(asked.length, what)} unclear`] : [];
}

function ofChecks(checks: readonly CheckResult[] | null): string[] {
  if (checks === null) return [];
  if (checks.length === 0) return ["no checks found"];
  const missed = checks.filter(({ status }) => status === "not-run").length;
  return missed * 2 > checks.length ? [`${missed} of ${count(checks.length, "check")} not run`] : [];
}
