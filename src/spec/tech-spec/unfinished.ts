import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { indexText } from "../../formats/text-index.ts";
import { buildTechSpecFinding } from "./catalog.ts";
import { PLACEHOLDER } from "./new-text.ts";
import type { TechSpec } from "./tech-spec.ts";

/** What is still to be written in a tech spec that others rely on by now; null where nothing is. */
export function unfinishedWarning({ id, status, body, statusAt }: TechSpec): Diagnostic | null {
  const places = [...body.matchAll(OPEN)].length;
  if (places === 0 || status === "draft" || status === "archived") return null;
  return buildTechSpecFinding("tech-spec-unfinished", { placeholder: PLACEHOLDER, places, id }, statusAt);
}

/** Every placeholder with its place: an agent would take these words for requirements. Null where the text has none. */
export function checkPlaceholders(file: string, text: string): Diagnostic | null {
  const index = indexText(file, text);
  const places = Array.from(
    text.matchAll(OPEN),
    ({ index: at }): SourceRange => index.lineRange(at, at + PLACEHOLDER.length),
  );
  const [first, ...others] = places;
  if (first === undefined) return null;
  const params = { placeholder: PLACEHOLDER, places: places.length };
  const related = others.map((at) => ({ at }));
  return buildTechSpecFinding("tech-spec-unfinished", params, first, { related, severity: "error" });
}

/** Quoted as code it is only mentioned. */
const OPEN = new RegExp(`(?<!\`)${PLACEHOLDER}(?!\`)`, "g");
