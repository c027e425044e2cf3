import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import { indexText } from "../../formats/text-index.ts";
import type { TechSpecCode } from "./codes.ts";
import { PLACEHOLDER } from "./new-text.ts";
import type { TechSpec } from "./tech-spec.ts";

/** What is still to be written in a tech spec that others rely on by now; null where nothing is. */
export function unfinishedWarning({ id, status, body, statusAt }: TechSpec): Diagnostic | null {
  const places = [...body.matchAll(OPEN)].length;
  if (places === 0 || status === "draft" || status === "archived") return null;
  return diagnostic({
    code: CODE,
    severity: "warning",
    message: `${id} still says ${PLACEHOLDER} in ${places === 1 ? "one place" : `${places} places`}`,
    at: statusAt,
    hint: "write what is meant there, or take these sections out",
  });
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
  return diagnostic({
    code: CODE,
    message: `${places.length === 1 ? "1 placeholder is" : `${places.length} placeholders are`} not replaced yet`,
    at: first,
    hint: `write the text for each ${PLACEHOLDER}, or delete its section`,
    related: others.map((at) => ({ at, message: "another placeholder" })),
  });
}

const CODE = "tech-spec-unfinished" satisfies TechSpecCode;

/** Quoted as code it is only mentioned. */
const OPEN = new RegExp(`(?<!\`)${PLACEHOLDER}(?!\`)`, "g");
