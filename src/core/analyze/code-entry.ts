import type { Severity } from "../source.ts";

/** What can be told about a code beyond its message: what it means, why plait insists, how to fix it. */
export type CodeEntry = {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly explanation: string;
  readonly example?: string;
};
