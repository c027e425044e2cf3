// If most of an area could not be compared or run, the result is not green.

import { count } from "../../core/text/figures.ts";
import type { IntegrationFinding } from "./finding.ts";
import type { CheckResult, ReportedVerdict } from "./report.ts";

type CheckedAreas = {
  readonly types: readonly ReportedVerdict[] | null;
  readonly endpoints: readonly ReportedVerdict[] | null;
  /** Null: not asked for. */
  readonly checks: readonly CheckResult[] | null;
  readonly findings: readonly Pick<IntegrationFinding, "area" | "code">[];
};

/** A clause for each area that is mostly unclear. */
export function listUnknownAreas({ types, endpoints, checks, findings }: CheckedAreas): string[] {
  return [
    ...listUnclearVerdicts(endpoints, "endpoint"),
    ...listUnclearVerdicts(types, "type"),
    ...(types === null && findings.some(({ code }) => code === "type-unclear") ? ["no types compared"] : []),
    ...listMissedChecks(checks),
  ];
}

function listUnclearVerdicts(verdicts: readonly ReportedVerdict[] | null, what: string): string[] {
  const asked = (verdicts ?? []).filter(({ status }) => status !== "extra");
  const unclear = asked.filter(({ status }) => status === "unclear").length;
  return unclear * 2 > asked.length ? [`${unclear} of ${count(asked.length, what)} unclear`] : [];
}

function listMissedChecks(checks: readonly CheckResult[] | null): string[] {
  if (checks === null) return [];
  if (checks.length === 0) return ["no checks found"];
  const missed = checks.filter(({ status }) => status === "not-run").length;
  return missed * 2 > checks.length ? [`${missed} of ${count(checks.length, "check")} not run`] : [];
}
