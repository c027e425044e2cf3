import type { FindingBuilder } from "../catalog.ts";
import type { Diagnostic, SourceRange } from "../source.ts";
import { MOST_OF_A_CODE, type Unlisted } from "./bounded.ts";
import { buildPlanFinding, type planCatalog } from "./catalog.ts";

/** Records one finding. Each check takes this and continues, so that all findings are reported together. */
export type ReportFinding = FindingBuilder<typeof planCatalog, void>;

/** Keeps the first findings of each code and counts the rest: one mistake may be on every line of a plan. */
export function collectFindings(): {
  report: ReportFinding;
  sorted: () => Diagnostic[];
  unlisted: () => Unlisted;
} {
  const found: Diagnostic[] = [];
  const counts = new Map<string, number>();
  return {
    report: (code, params, at, details) => {
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

/** Sorting is stable: findings about one place stay in the order of the checks. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [x, y] = [a.at, b.at];
  if (x === null || y === null) return Number(x !== null) - Number(y !== null);
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return x.start.line - y.start.line || x.start.col - y.start.col;
}
