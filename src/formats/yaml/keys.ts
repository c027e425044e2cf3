import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
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
  const at = index.range(keyStart, keyEnd);
  if (first) {
    const related = [{ at: index.range(first.keyStart, first.keyEnd) }];
    return buildFormatFinding("duplicate-key", { key }, at, { related });
  }
  if (key === MERGE_KEY)
    return buildFormatFinding("unknown-key", { kind: "merge-key", noun: index.noun }, at);
  return key === "__proto__" ? buildFormatFinding("unknown-key", { kind: "reserved", key }, at) : null;
}
