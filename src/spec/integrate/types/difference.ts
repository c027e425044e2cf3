import type { IntegrationCode } from "../codes.ts";
import type { CodePlace, FoundFinding } from "../finding.ts";

/** One thing in which the code is not as the contract says. */
export type Difference = {
  readonly code: IntegrationCode;
  readonly weight: FoundFinding["weight"];
  /** One sentence without a period. */
  readonly message: string;
  readonly at: CodePlace;
  /** The field or the value that differs. */
  readonly member?: string;
  /** One imperative sentence without a period. */
  readonly fix?: string;
  /** Types of the contract that it is made of: where one of them is missing, this follows from that. */
  readonly uses?: readonly string[];
};

export const isUnclear = ({ weight }: Difference): boolean => weight === "cannot-tell";
