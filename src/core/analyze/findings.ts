import { type Diagnostic, diagnostic, type Severity, type SourceRange } from "../source.ts";
import { MOST_OF_A_CODE, type Unlisted } from "./bounded.ts";
import { type AnalyzeCode, analyzeCodes } from "./codes.ts";

/** Says one finding. Each check takes this and goes on, so that all problems are told at once. */
export type Say = (code: AnalyzeCode, finding: Finding) => void;

export type Finding = {
  readonly message: string;
  readonly at: SourceRange;
  readonly hint?: string | null;
  readonly related?: Diagnostic["related"];
  /** Where it differs from the table of codes. */
  readonly severity?: Severity;
};

const severities: ReadonlyMap<string, Severity> = new Map(
  analyzeCodes.map(({ code, severity }) => [code, severity]),
);

/** Of each code the first are kept and the others counted: one mistake may be in every line of a plan. */
export function collectFindings(): { say: Say; sorted: () => Diagnostic[]; unlisted: () => Unlisted } {
  const found: Diagnostic[] = [];
  const counts = new Map<string, number>();
  return {
    say: (code, finding) => {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count > MOST_OF_A_CODE) return;
      found.push(diagnostic({ code, severity: severities.get(code) ?? "error", ...finding }));
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
