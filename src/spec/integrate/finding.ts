import type { IntegrationCode } from "./codes.ts";

/** Something about the parts and how they fit, as the one who looks finds it: whose it is may still be open. */
export type FoundFinding = {
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
  /** The task that it is about, where the finder knows; else its owner is searched by the place. */
  readonly task?: string;
  /** The file that something missing belongs in, as the contract says. */
  readonly home?: string;
  /** Names of the contract that it rests on: where one of them is missing, this follows from that. */
  readonly uses?: readonly string[];
  /** The field or the value that differs: what the type and an endpoint that uses it both show at one place is one mistake. */
  readonly member?: string;
  /** One imperative sentence without a period; else the usual one of the code. */
  readonly fix?: string;
};

/** With its owner and its fix. */
export type IntegrationFinding = Omit<FoundFinding, "task" | "home" | "uses" | "member" | "fix"> & {
  /** The task that owns the place, or whose scope names the missing thing; null: no single task can be named. */
  readonly task: string | null;
  /** The last commit of that task that touched the place; null where none did. */
  readonly commit: string | null;
  /** One imperative sentence without a period. */
  readonly fix: string;
};

/** The same before those that follow from each other are joined. */
export type OwnedFinding = IntegrationFinding & Pick<FoundFinding, "home" | "uses" | "member">;

export type IntegrationArea =
  | "tasks"
  | "completeness" // what tasks were to leave behind, and what they must not
  | "boundaries"
  | "endpoints"
  | "types"
  | "requirements"
  | "tech-spec"
  | "checks";

export type CodePlace = { readonly file: string; readonly line: number | null };
