import type { AnalyzeCode } from "../../core/analyze/catalog.ts";
import type { FormatCode } from "../catalog.ts";
import type { Path, Tree } from "../yaml/tree.ts";

/** The code that says more about a value which the schema refused. Null where "bad value" says it all. */
export function codeFor([section, ...rest]: Path, value: Tree): AnalyzeCode | FormatCode | null {
  const key = rest.at(-1) ?? section;
  const isNumber = section === "concurrency_limits" || key === "max_retries";
  if (!isNumber) return null;
  if (value.kind !== "scalar" || value.value === null) return "wrong-type";
  return section === "concurrency_limits" ? "limit-out-of-range" : "bad-number";
}
