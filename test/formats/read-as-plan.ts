import type { Caps } from "../../src/core/caps.ts";
import type { Diagnostic } from "../../src/core/source.ts";
import type { FormatResult } from "../../src/formats/format.ts";
import { detectFormat } from "../../src/formats/registry.ts";
import { caps as usual } from "./caps.ts";

/** What happens to a plan file between the disk and the analysis. */
export async function readAsPlan(path: string, text: string, caps: Caps = usual): Promise<FormatResult> {
  const input = { kind: "file", path, text } as const;
  const { format, diagnostic } = detectFormat(input);
  return format ? format.read(input, caps) : { draft: null, diagnostics: [diagnostic] };
}

/** One finding as a few lines that a person can check. */
export function show({ code, severity, message, at, hint, related }: Diagnostic): string {
  const place = at ? `${at.start.line}:${at.start.col}-${at.end.line}:${at.end.col} ` : "";
  const others = related.map((one) => `  see ${one.at.start.line}:${one.at.start.col} ${one.message}`);
  return [
    `${place}${severity} ${code}: ${message}`,
    ...(hint === null ? [] : [`  hint ${hint}`]),
    ...others,
  ].join("\n");
}
