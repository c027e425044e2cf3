import type { AnalyzeCode } from "../../core/analyze/catalog.ts";
import type { Path, Tree } from "../yaml/tree.ts";

/** The code of the analysis for a value that the schema has refused already. Null where "bad value" says it all. */
export function codeFor(path: Path, value: Tree): AnalyzeCode | null {
  const key = path.findLast((step) => typeof step === "string");
  if (value.kind !== "scalar") return null;
  if (typeof value.value === "string")
    return key === "prompt" && value.value.trim() === "" ? "empty-prompt" : null;
  if (typeof value.value !== "number") return null;
  if (path[0] === "ports") return "bad-ports";
  if (path[0] === "limits") return "limit-out-of-range";
  if (key === "wave") return "bad-wave";
  return key === "concurrency" || key === "slots" ? "slots-out-of-range" : "bad-number";
}
