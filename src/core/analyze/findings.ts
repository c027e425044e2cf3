import { type Diagnostic, diagnostic, type Severity, type SourceRange } from "../source.ts";
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

export function collectFindings(): { say: Say; sorted: () => Diagnostic[] } {
  const found: Diagnostic[] = [];
  return {
    say: (code, finding) => {
      found.push(diagnostic({ code, severity: severities.get(code) ?? "error", ...finding }));
    },
    sorted: () => found.sort(byPlace),
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
