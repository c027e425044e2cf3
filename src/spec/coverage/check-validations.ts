import type { Diagnostic, Severity, SourceRange } from "../../core/source.ts";
import { buildCoverageFinding } from "./catalog.ts";

export type ValidatedWave = {
  readonly number: number;
  readonly isValidated: boolean;
  readonly at: SourceRange;
};

/** One finding for all waves after which nothing is checked, at the first of them. */
export function checkValidations(waves: readonly ValidatedWave[], severity: Severity): Diagnostic[] {
  const left = waves.filter(({ isValidated }) => !isValidated);
  const [first] = left;
  if (first === undefined) return [];
  const numbers = left.map(({ number }) => number);
  return [buildCoverageFinding("wave-unvalidated", { waves: numbers }, first.at, { severity })];
}
