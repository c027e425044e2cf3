import type { IntegrationCode } from "./catalog/catalog.ts";
import type { Joined } from "./catalog/joined.ts";

/** What a finding is about, and where it is. */
export type FindingPlace = {
  /** A task, a type, `GET /products/{sku}`, a section, a command. */
  readonly about: string;
  /** In the code; for something that is missing, the place in the contract that asks for it. */
  readonly at: CodePlace | null;
  /** The task to fix it, if it is known; otherwise it is found by the place. */
  readonly task?: string;
  /** The file that something missing belongs in, as the contract names it. */
  readonly home?: string;
  /** Names of the contract that it depends on: if one of them is missing, this finding is a consequence. */
  readonly uses?: readonly string[];
  /** The field or value that differs. A type and an endpoint that uses it may both show the same mistake. */
  readonly member?: string;
};

/** A finding whose owner is not known yet. */
export type FoundFinding = FindingPlace & {
  readonly area: IntegrationArea;
  /** Stable: `plait explain <code>` explains it. */
  readonly code: IntegrationCode;
  /** `must` blocks; `should` is wrong and harmless for now; `unclear` needs a person. */
  readonly weight: "must" | "should" | "unclear";
  /** The values that the catalog words the finding from. */
  readonly values: object;
  /** One sentence without a period. */
  readonly message: string;
  /** One imperative sentence without a period. */
  readonly fix: string;
};

export type IntegrationFinding = Pick<
  FoundFinding,
  "area" | "code" | "weight" | "about" | "at" | "message" | "fix"
> & {
  /** The task that owns the place, or whose scope names the missing thing; null: no single task owns it. */
  readonly task: string | null;
  /** The last commit of that task that changed the place. */
  readonly commit: string | null;
};

/** Before findings with one cause are joined. */
export type OwnedFinding = IntegrationFinding &
  Pick<FoundFinding, "values" | "home" | "uses" | "member"> & { readonly joined?: Joined };

export type IntegrationArea =
  | "tasks"
  | "completeness" // files that tasks must leave, and stubs that they must not
  | "boundaries"
  | "endpoints"
  | "types"
  | "requirements"
  | "tech-spec"
  | "checks";

export type CodePlace = { readonly file: string; readonly line: number | null };

/** What is said about one item of a contract: a type, an endpoint. */
export type ContractVerdict<Finding = FoundFinding> = {
  /** `ReservationOut`, `POST /reservations`. */
  readonly about: string;
  readonly status: "ok" | "differs" | "missing" | "extra" | "unclear";
  readonly at: CodePlace | null;
  /** Empty where it is ok. */
  readonly findings: readonly Finding[];
};

/** A file of the project that could not be read as its language: what seems to be missing may stand there. */
export type UnreadFile = { readonly path: string; readonly why: string };
