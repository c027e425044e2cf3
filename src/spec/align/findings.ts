import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic } from "../../core/source.ts";
import { type alignCatalog, buildAlignFinding, type Request } from "./catalog.ts";
import type { Wanted, WantedPart } from "./wanted.ts";

type ConflictParams = CodeParams<typeof alignCatalog, "dependency-conflict">;
type MissingParams = CodeParams<typeof alignCatalog, "dependency-missing">;

/** At the last of the requests that conflict; the others are the places that belong to it. */
export function buildConflict(parts: readonly WantedPart[], params: ConflictParams): Diagnostic {
  const related = parts.slice(0, -1).map((part) => ({ at: part.wish.spec.at, ...describeRequest(part) }));
  return buildAlignFinding("dependency-conflict", params, parts.at(-1)?.wish.spec.at ?? null, { related });
}

export function buildMissing({ parts }: Pick<Wanted, "parts">, params: MissingParams): Diagnostic {
  return buildAlignFinding("dependency-missing", params, parts.at(-1)?.wish.spec.at ?? null);
}

export const listRequests = (parts: readonly WantedPart[]): Request[] => parts.map(describeRequest);

function describeRequest({ wish }: WantedPart): Request {
  return { by: wish.by ?? "the manifest", spec: wish.spec.value };
}
