import type { Diagnostic } from "../../src/core/source.ts";

/** A finding with any text; the program words findings in catalogs only. */
export function diagnostic(
  input: Pick<Diagnostic, "code" | "message" | "at"> & Partial<Diagnostic>,
): Diagnostic {
  return { severity: "error", hint: null, related: [], ...input };
}
