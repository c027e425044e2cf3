import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { TechSpecCode } from "./codes.ts";
import { PLACEHOLDER } from "./new-text.ts";
import type { TechSpec } from "./tech-spec.ts";

/** What is still to be written in a tech spec that others rely on by now; null where nothing is. */
export function unfinishedWarning({ id, status, body, statusAt }: TechSpec): Diagnostic | null {
  const places = body.split(PLACEHOLDER).length - 1;
  if (places === 0 || status === "draft" || status === "archived") return null;
  return diagnostic({
    code: "tech-spec-unfinished" satisfies TechSpecCode,
    severity: "warning",
    message: `${id} still says ${PLACEHOLDER} in ${places === 1 ? "one place" : `${places} places`}`,
    at: statusAt,
    hint: "write what is meant there, or take these sections out",
  });
}
