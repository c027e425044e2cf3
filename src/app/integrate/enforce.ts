// What counts while a run goes on: a gate judges trees in which tasks are still missing, and must not hold that against those that are
// there. Everything is decided by the tree and its history, since a verdict is kept by tree.

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
    // What a task has touched and nobody is still to change.
    return at !== null && touched.has(at.file) && !toCome.some((covers) => covers(at.file) !== false);
  };
}
