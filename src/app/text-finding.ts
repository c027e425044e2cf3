import { startOf } from "../core/analyze/findings.ts";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import { buildFormatFinding } from "../formats/catalog.ts";
import { buildFileFinding } from "./file-catalog.ts";
import type { TextFailure } from "./read-text.ts";

/** What a file was to be, for messages about it. */
export type TextSubject = {
  /** `plan`, `tech spec`. */
  readonly noun: string;
  /** The file in a sentence; default: `the ${noun}`. */
  readonly subject?: string;
  readonly tooLarge: "plan-too-large" | "config-too-large" | "prompt-too-large" | "tech-spec-too-large";
  /** Where its path starts, as the end of a sentence. */
  readonly from: string;
};

export const CURRENT_FOLDER = "the current folder";

type Failure = { readonly reason: TextFailure; readonly detail: string; readonly suggestion?: string | null };

/** Why a text cannot be read. `place` is its file, or the range that names it. */
export function buildTextFinding(
  { reason, detail: problem, suggestion = null }: Failure,
  { noun, subject = `the ${noun}`, tooLarge, from }: TextSubject,
  place: string | SourceRange,
): Diagnostic {
  const at = typeof place === "string" ? startOf(place) : place;
  switch (reason) {
    case "missing":
      return buildFileFinding("file-missing", { subject, problem, suggestion, from }, at);
    case "folder":
    case "special":
      return buildFormatFinding("not-a-file", { subject, problem, noun }, at);
    case "too-large":
      return buildFileFinding(tooLarge, { subject, problem }, at);
    case "not-text":
      return buildFileFinding("not-text", { subject, problem }, at);
    default:
      return buildFileFinding("file-unreadable", { subject, problem }, at);
  }
}
