// Which findings count in a gate of a run: tasks that are not merged yet are not a mistake of the others. Only the tree and its history
// decide, since results are cached by tree.

import { matcher } from "../../core/ownership/match.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { TaskWork } from "./own-work.ts";

export function countsNow(
  works: readonly TaskWork[],
  touched: ReadonlySet<string>,
): (finding: FoundFinding) => boolean {
  const missing = works.filter(({ status }) => status === "not-merged" || status === "no-commits");
  if (missing.length === 0) return () => true;
  const toCome = missing.flatMap(({ task }) => task.owns.map(({ pattern }) => matcher(pattern)));
  return ({ area, code, at }) => {
    if (area === "tasks" || code === "type-missing" || code === "endpoint-missing") return false;
    if (area !== "types" && area !== "endpoints") return true;
    // Files that a task changed and no other task will change.
    return at !== null && touched.has(at.file) && !toCome.some((covers) => covers(at.file) !== false);
  };
}
