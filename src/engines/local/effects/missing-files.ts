// Files that a task was to create and that are not there when its attempt ends. Ignored ones are in no tree, so the worktree is
// asked for those.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../../core/facts.ts";
import { findMissingCreations, isGlob, listCreations } from "../../../core/ownership/change.ts";
import type { Task } from "../../../core/plan.ts";
import { listPaths, type Saved } from "../../../git/index.ts";
import type { RunContext } from "../run-context.ts";

export type Creator = {
  readonly task: Task;
  /** Where the attempt worked. */
  readonly root: string;
  /** A person may decide that a file is not needed. */
  readonly isPerson: boolean;
  /** It ended as it was to: of one that was cut short nothing is expected. */
  readonly isDone: boolean;
};

export async function missingFileFindings(
  { shadow, workFolder }: Pick<RunContext, "shadow" | "workFolder">,
  { result, changed }: Pick<Saved, "result" | "changed">,
  { task, root, isPerson, isDone }: Creator,
): Promise<Finding[]> {
  const wanted = listCreations(task.owns);
  if (!isDone || wanted.length === 0 || (task.allowEmpty && !changed)) return [];
  const paths = await listPaths(shadow, result.tree, wanted.some(isGlob) ? [] : wanted);
  const findings: Finding[] = [];
  for (const pattern of findMissingCreations(task.owns, paths)) {
    // Outside of a repository nothing is saved: only names that are known can be looked for.
    const isUnknown = isGlob(pattern) && workFolder !== null;
    if (isUnknown || (!isGlob(pattern) && (await exists(join(root, pattern))))) continue;
    const detail = isGlob(pattern) ? "no file matches it" : "does not exist";
    findings.push({
      kind: "missing-file",
      path: pattern,
      detail: `not created by the task: ${detail}`,
      blocks: !isPerson,
    });
  }
  return findings;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null; // whatever keeps it from being seen, it is not there
}
