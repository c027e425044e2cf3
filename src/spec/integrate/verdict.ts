import type { CodePlace, FoundFinding } from "./finding.ts";

/** What is said about one item of a contract: a type, an endpoint. */
export type ContractVerdict<Finding = FoundFinding> = {
  /** `ReservationOut`, `POST /reservations`. */
  readonly about: string;
  readonly status: "ok" | "differs" | "missing" | "extra" | "unclear";
  /** Where it is implemented. */
  readonly at: CodePlace | null;
  /** Empty where it is ok. */
  readonly findings: readonly Finding[];
};

/** A file of the project that could not be read as its language: what seems to be missing may stand there. */
export type UnreadFile = { readonly path: string; readonly why: string };
