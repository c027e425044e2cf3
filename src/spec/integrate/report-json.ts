import type { Doc } from "../../formats/cpo/fields.ts";
import type { Entry } from "../../formats/yaml/tree.ts";
import { type IntegrationReport, isGreen } from "./report.ts";
import { buildSummary } from "./summary.ts";

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
    // That format has no value for areas that were not checked.
    checks: Object.fromEntries(
      buildSummary(report).map(({ name, status }) => [
        name.toLowerCase().replaceAll(" ", "_"),
        status === "unknown" ? "warning" : status,
      ]),
    ),
  };
}

const KEY = "integration";

/**
 * The manifest with this block, in its own line ends and indentation. All else stays as it is, byte by byte; all of it where the result is
 * the one that it has: the time is of the first such result, and a tracked file does not change with each look.
 */
export function withIntegration({ index, tree }: Doc, block: IntegrationBlock): string {
  const { text } = index;
  const entries = tree.kind === "map" ? [...tree.entries.values()] : [];
  const last = entries.at(-1);
  if (last === undefined) return text;
  const before = entries.find(({ key }) => key === KEY);
  if (before !== undefined && isSameResult(text.slice(before.value.start, before.value.end), block))
    return text;
  const blanks = blanksBefore(text, before ?? last);
  const value = valueText(block, blanks);
  if (before !== undefined) return text.slice(0, before.value.start) + value + text.slice(before.value.end);
  const colon = text.slice(last.keyEnd, last.value.start);
  const { end } = last.value;
  return `${text.slice(0, end)},${blanks}${JSON.stringify(KEY)}${colon}${value}${text.slice(end)}`;
}

/** But for the time. */
function isSameResult(before: string, block: IntegrationBlock): boolean {
  try {
    const { completed_at } = JSON.parse(before);
    const known = block.completed_at === undefined ? block : { ...block, completed_at };
    return JSON.stringify(JSON.parse(before)) === JSON.stringify(known);
  } catch {
    return false; // not an object, or with comments: it is written again
  }
}

/** Between the brace, or the comma before it, and the key. */
function blanksBefore(text: string, { keyStart }: Entry): string {
  const before = text.slice(0, keyStart);
  return before.slice(before.trimEnd().length);
}

/** Over several lines where the manifest is, else on one. */
function valueText(block: IntegrationBlock, blanks: string): string {
  const at = blanks.lastIndexOf("\n");
  if (at === -1) return JSON.stringify(block);
  const indent = blanks.slice(at + 1);
  const end = blanks.includes("\r\n") ? "\r\n" : "\n";
  return JSON.stringify(block, null, indent === "" ? 2 : indent).replaceAll("\n", `${end}${indent}`);
}
