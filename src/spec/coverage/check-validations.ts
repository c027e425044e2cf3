import { type Diagnostic, diagnostic, type Severity, type SourceRange } from "../../core/source.ts";
import type { CoverageCode } from "./codes.ts";

export type ValidatedWave = {
  readonly number: number;
  readonly isValidated: boolean;
  readonly at: SourceRange;
};

/** One finding for all waves after which nothing is checked, at the first of them. */
export function checkValidations(waves: readonly ValidatedWave[], severity: Severity): Diagnostic[] {
  const left = waves.filter(({ isValidated }) => !isValidated);
  const [first, ...others] = left;
  if (first === undefined) return [];
  const numbers = left.map(({ number }) => number);
  const subject =
    others.length === 0
      ? `wave ${first.number} has`
      : `waves ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} have`;
  return [
    diagnostic({
      code: "wave-unvalidated" satisfies CoverageCode,
      severity,
      message: `${subject} no validation`,
      at: first.at,
      hint: 'add a command that checks the merged wave: "validation": "npm test"',
    }),
  ];
}
