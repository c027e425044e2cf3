import type { Diagnostic } from "../../core/source.ts";
import { formatMessage } from "../../core/text/finding.ts";
import type { Glyphs } from "./glyphs.ts";
import { spelled, visible } from "./visible.ts";

/** Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request. */
export type AnnotationView = {
  readonly glyphs: Glyphs;
  /** From the name of a file as findings have it to the one that GitHub knows. */
  readonly pathOf: (file: string) => string;
};

export function githubAnnotations(diagnostics: readonly Diagnostic[], view: AnnotationView): string {
  return diagnostics.map((diagnostic) => `${annotation(diagnostic, view)}\n`).join("");
}

const levels = { error: "error", warning: "warning", note: "notice" } as const;

function annotation(
  { severity, code, hint, at, ...about }: Diagnostic,
  { glyphs, pathOf }: AnnotationView,
): string {
  const place =
    at === null || at.start.line === 0
      ? {}
      : { file: pathOf(at.file), line: String(at.start.line), col: String(at.start.col) };
  const properties = Object.entries({ ...place, title: code }).map(
    ([name, value]) => `${name}=${escapeProperty(visible(value))}`,
  );
  const text = [formatMessage(about), ...(hint?.split("\n") ?? [])].map(visible).join("\n");
  return `::${levels[severity]} ${properties.join(",")}::${escapeData(glyphs.ascii ? spelled(text) : text)}`;
}

/** A line break would end the command, and what follows could be read as another one. */
export function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
