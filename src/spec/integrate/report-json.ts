import { type IntegrationReport, isGreen } from "./report.ts";
import { type SummaryRow, summaryRows } from "./summary.ts";

/** integration-report.json: the whole model, with what follows from it said. */
export function reportJson(report: IntegrationReport): object {
  return { v: 1, ok: isGreen(report), ...report, summary: summaryRows(report) };
}

/** The `integration` of a manifest, in the words of the older system: `pending` as long as something blocks. */
export type IntegrationBlock = {
  readonly status: "completed" | "pending";
  readonly report_path: string;
  /** Left out while something blocks. */
  readonly completed_at?: string;
  readonly checks: { readonly [check: string]: "passed" | "warning" | "failed" };
};

/** `reportPath` is that of integration-report.md, from the root of the repository. */
export function integrationBlock(report: IntegrationReport, reportPath: string): IntegrationBlock {
  return {
    status: isGreen(report) ? "completed" : "pending",
    report_path: reportPath,
    ...(isGreen(report) && { completed_at: report.generatedAt }),
    checks: Object.fromEntries(summaryRows(report).map(({ name, status }) => [keyOf(name), wordOf(status)])),
  };
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(" ", "_");

/** The older system has no word for what nobody looked at; it is not passed. */
const wordOf = (status: SummaryRow["status"]) => (status === "unknown" ? "warning" : status);
