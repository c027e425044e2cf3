import type { Diagnostic } from "../../core/source.ts";
import { visible } from "./visible.ts";

/** Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request. */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${annotation(diagnostic)}\n`).join("");
}

const levels = { error: "error", warning: "warning", note: "notice" } as const;

function annotation({ severity, code, message, hint, at }: Diagnostic): string {
  const place = at === null ? {} : { file: at.file, line: String(at.start.line), col: String(at.start.col) };
  const properties = Object.entries({ ...place, title: code }).map(
    ([name, value]) => `${name}=${property(value)}`,
  );
  const text = [message, ...(hint?.split("\n") ?? [])].map(visible).join("\n");
  return `::${levels[severity]} ${properties.join(",")}::${data(text)}`;
}

/** A line break would end the command, and what follows could be read as another one. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
