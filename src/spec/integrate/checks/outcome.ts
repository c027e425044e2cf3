import type { CheckResult, StackCheck } from "../report.ts";
import { type Counts, countsIn } from "./counts.ts";
import { findFailedDownload, findMissingProgram, formatMissingProgram } from "./missing.ts";

export type CheckEnd = {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Its time was up. */
  readonly isLate: boolean;
  /** As much of its end as it takes to count. */
  readonly output: string;
};

export type Outcome = Pick<CheckResult, "status" | "summary" | "counts">;

/** The exit code decides; the output only adds counts. */
export function outcomeOf(check: StackCheck, end: CheckEnd, timeoutMs: number): Outcome {
  const { code, signal, isLate, output } = end;
  const counts = countsIn(output, check.kind);
  if (isLate) return { status: "red", summary: `timed out after ${seconds(timeoutMs)}`, counts };
  if (code === null) return { status: "red", summary: `ended by ${signal ?? "a signal"}`, counts };
  if (code === 0)
    return listed(check, output) ?? { status: "green", summary: formatCounts(check, counts), counts };
  const missing = findMissingProgram({ code, output });
  if (missing !== null) return notRun(formatMissingProgram(missing, check.run));
  const fetching = FETCHES.test(check.run) ? findFailedDownload({ code, output }) : null;
  if (fetching !== null) return notRun(`download failed: ${fetching}`);
  if (code === NO_TESTS && check.kind === "tests" && /no tests ran/i.test(output))
    return notRun("no tests found");
  const hasFailed = counts !== null && counts.failed > 0;
  return {
    status: "red",
    summary: hasFailed ? formatCounts(check, counts) : `exit code ${code}${last(output)}`,
    counts,
  };
}

/** These download packages by themselves. */
const FETCHES = /(?:^|&& )(?:go|uv) /;

export const notRun = (summary: string): Outcome => ({ status: "not-run", summary, counts: null });

/** Of pytest and unittest. */
const NO_TESTS = 5;

/** gofmt lists unformatted files and exits with 0. */
function listed({ run }: StackCheck, output: string): Outcome | null {
  if (!/(?:^|&& )gofmt -l\b/.test(run)) return null;
  const files = output.split("\n").filter((line) => line.trim() !== "" && !/(?:^|\/)vendor\//.test(line));
  const counts = { passed: 0, failed: files.length, skipped: 0 };
  if (files.length === 0) return { status: "green", summary: "all files are formatted", counts };
  const names = files.slice(0, MOST_NAMES).join(", ");
  const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : "";
  return { status: "red", summary: `not formatted: ${names}${more}`, counts };
}

const MOST_NAMES = 3;

function formatCounts({ kind }: StackCheck, counts: Counts | null): string {
  if (counts === null) return "exit code 0";
  const { passed, failed, skipped } = counts;
  if (kind === "tests") {
    const more = skipped > 0 ? `, ${skipped} skipped` : "";
    return `${failed > 0 ? `${failed} failed, ` : ""}${passed} passed${more}`;
  }
  const what = kind === "lint" ? "problem" : "error";
  return failed === 0 ? `no ${what}s` : `${failed} ${what}${failed === 1 ? "" : "s"}`;
}

const LONGEST = 160;

/** What people look for is mostly in the last line. */
function last(output: string): string {
  const line = output.trimEnd().split(/\r?\n/).at(-1)?.trim().slice(0, LONGEST) ?? "";
  return line === "" ? "" : `: ${line}`;
}

function seconds(ms: number): string {
  const s = Math.round(ms / 1000);
  return s < 120 ? `${Math.max(1, s)} s` : `${Math.round(s / 60)} min`;
}
