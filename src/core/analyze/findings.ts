import type { FindingBuilder } from "../catalog.ts";
import type { Lost, PlanDraft } from "../draft.ts";
import type { Diagnostic, SourceRange } from "../source.ts";
import { buildPlanFinding, type planCatalog } from "./catalog.ts";

/** Records one finding. Each check takes this and continues, so that all findings are reported together. */
export type ReportFinding = FindingBuilder<typeof planCatalog, void>;

/**
 * Keeps the first findings of each code and counts the rest: one mistake may be on every line of a plan. Redirecting variables that
 * the user allowed are no mistake.
 */
export function collectFindings(allowedEnv: readonly string[] = []): {
  report: ReportFinding;
  sorted: () => Diagnostic[];
  unlisted: () => Unlisted;
} {
  const found: Diagnostic[] = [];
  const counts = new Map<string, number>();
  return {
    report: (code, params, at, details) => {
      if (code === "env-redirects" && allowedEnv.includes((params as { readonly name: string }).name)) return;
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count <= MOST_OF_A_CODE) found.push(buildPlanFinding(code, params, at, details));
    },
    sorted: () => found.sort(byPlace),
    unlisted: () => {
      const more = Array.from(counts, ([code, count]) => [code, count - MOST_OF_A_CODE] as const);
      return new Map(more.filter(([, count]) => count > 0));
    },
  };
}

/** A plan has no place of its own; its first character stands for it. */
export function startOf(file: string): SourceRange {
  const start = { line: 1, col: 1 };
  return { file, start, end: start };
}

/** A file without lines: it does not exist. */
export function wholeFile(file: string): SourceRange {
  const start = { line: 0, col: 0 };
  return { file, start, end: start };
}

/** Sorting is stable: findings about one place stay in the order of the checks. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [x, y] = [a.at, b.at];
  if (x === null || y === null) return Number(x !== null) - Number(y !== null);
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return x.start.line - y.start.line || x.start.col - y.start.col;
}

/** Whether a name may be that of something the draft does not have because it was wrong in itself. */
export function mayBeLost(name: string, lost: Lost["tasks"]): boolean {
  return lost === "any" || lost.includes(name);
}

export function hasLostTasks({ lost }: PlanDraft): boolean {
  return lost !== undefined && lost.tasks.length > 0;
}

/** What one list of findings tells at most: nobody reads more, and a machine would drown as well. */
export const MOST_OF_A_CODE = 200;
const MOST_OF_ALL = 500;

/** By code, how many more there are than are listed. */
export type Unlisted = ReadonlyMap<string, number>;

/**
 * The first of each code, and of all together, errors before warnings before notes; in the order in which they came.
 * `before` are those that were left out earlier.
 */
export function bounded(
  diagnostics: readonly Diagnostic[],
  before: Unlisted = new Map(),
): { readonly shown: Diagnostic[]; readonly unlisted: Unlisted } {
  const unlisted = new Map(before);
  const counts = new Map<string, number>();
  const leaveOut = ({ code }: Diagnostic) => unlisted.set(code, (unlisted.get(code) ?? 0) + 1);
  const first = diagnostics.filter((one) => {
    const count = (counts.get(one.code) ?? 0) + 1;
    counts.set(one.code, count);
    if (count > MOST_OF_A_CODE) leaveOut(one);
    return count <= MOST_OF_A_CODE;
  });
  const ranked = severities.flatMap((severity) => first.filter((one) => one.severity === severity));
  const kept = new Set(ranked.slice(0, MOST_OF_ALL));
  for (const one of ranked.slice(MOST_OF_ALL)) leaveOut(one);
  return { shown: first.filter((one) => kept.has(one)), unlisted };
}

const severities = ["error", "warning", "note"] as const;

/** What was left out in two places. */
export function joined(a: Unlisted, b: Unlisted): Unlisted {
  const sum = new Map(a);
  for (const [code, count] of b) sum.set(code, (sum.get(code) ?? 0) + count);
  return sum;
}
