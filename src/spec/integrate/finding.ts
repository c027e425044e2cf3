import type { IntegrationCode } from "./codes.ts";

/** Something about the parts and how they fit. */
export type IntegrationFinding = {
  readonly area: IntegrationArea;
  /** Stable: `plait explain <code>` tells more. */
  readonly code: IntegrationCode;
  /** `must` blocks; `should` is wrong and does no harm now; `cannot-tell` is what nobody but a person can judge. */
  readonly weight: "must" | "should" | "cannot-tell";
  /** What it is about: a task, a type, `GET /products/{sku}`, a section, a command. */
  readonly about: string;
  /** In the code; what is not there is told where the contract asks for it. Null where neither says a place. */
  readonly at: CodePlace | null;
  /** One sentence without a period. */
  readonly message: string;
};

export type IntegrationArea = "tasks" | "boundaries" | "endpoints" | "types" | "tech-spec" | "checks";

export type CodePlace = { readonly file: string; readonly line: number | null };
