import { type IntegrationReport, isGreen } from "./report.ts";
import { buildSummary, type SummaryRow } from "./summary.ts";

/** integration-report.json: the whole report and its summary. */
export function buildReportJson(report: IntegrationReport): object {
  return { v: 1, ok: isGreen(report), ...report, summary: buildSummary(report) };
}

/** The `integration` key of a manifest, as cpo writes it: `pending` while something blocks. */
export type IntegrationBlock = {
  readonly status: "completed" | "pending";
  readonly report_path: string;
  /** Omitted while something blocks. */
  readonly completed_at?: string;
  readonly checks: { readonly [check: string]: "passed" | "warning" | "failed" };
};

/** `reportPath` is that of integration-report.md, from the root of the repository. */
export function buildIntegrationBlock(report: IntegrationReport, reportPath: string): IntegrationBlock {
  return {
    status: isGreen(report) ? "completed" : "pending",
    report_path: reportPath,
    ...(isGreen(report) && { completed_at: report.generatedAt }),
    checks: Object.fromEntries(
      buildSummary(report).map(({ name, status }) => [toKey(name), toValue(status)]),
    ),
  };
}

const toKey = (name: string): string => name.toLowerCase().replaceAll(" ", "_");

/** That format has no value for areas that were not checked. */
const toValue = (status: SummaryRow["status"]) => (status === "unknown" ? "warning" : status);
