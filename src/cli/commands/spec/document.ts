import type { KnownSpec } from "../../../app/spec/tech-specs.ts";
import { stepsFrom } from "../../../spec/tech-spec/lifecycle.ts";

/** A tech spec for other programs; what a broken one does not say is null. */
export function specDocument({ spec, said, file }: KnownSpec) {
  return {
    id: spec?.id ?? said.id?.value ?? null,
    status: spec?.status ?? null,
    title: spec?.title ?? said.title,
    file,
    ok: spec !== null,
    author: spec?.author ?? null,
    created: spec?.created ?? null,
    lastUpdated: spec?.lastUpdated ?? null,
    decisionRef: spec?.decisionRef ?? null,
    relatedPrd: spec?.relatedPrd ?? null,
    /** Where it may go from here. */
    next: spec === null ? [] : stepsFrom(spec.status),
  };
}
