import type { IntegrationCode } from "../codes.ts";
import type { CodePlace, IntegrationFinding } from "../finding.ts";

/** One thing in which the code is not as the contract says. */
export type Difference = {
  readonly code: IntegrationCode;
  readonly weight: IntegrationFinding["weight"];
  /** One sentence without a period. */
  readonly message: string;
  readonly at: CodePlace;
};

export const isUnclear = ({ weight }: Difference): boolean => weight === "cannot-tell";
