import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { TextIndex } from "../text-index.ts";
import type { Entry } from "./tree.ts";

export const MERGE_KEY = "<<";

type Key = Pick<Entry, "key" | "keyStart" | "keyEnd">;

/**
 * What YAML and JSON allow and a plan does not: a key that was used before (`first`), merge keys, and a key that
 * JavaScript objects treat as magic. Null where the key is fine.
 */
export function keyProblem(
  { key, keyStart, keyEnd }: Key,
  first: Key | undefined,
  index: TextIndex,
): Diagnostic | null {
  if (first) {
    const at = index.range(first.keyStart, first.keyEnd);
    return diagnostic({
      code: "duplicate-key" satisfies FormatCode,
      message: `the key ${quoted(key)} is used twice`,
      at: index.range(keyStart, keyEnd),
      hint: "keep one",
      related: [{ at, message: `${quoted(key)} is first used here` }],
    });
  }
  if (key !== "__proto__" && key !== MERGE_KEY) return null;
  const isMerge = key === MERGE_KEY;
  return diagnostic({
    code: "unknown-key" satisfies FormatCode,
    message: isMerge ? `the merge key "${MERGE_KEY}" is not used in plans` : `unknown key ${quoted(key)}`,
    at: index.range(keyStart, keyEnd),
    hint: isMerge ? "put what tasks share under defaults:" : "delete it",
  });
}
