// Changes of an attempt outside `owns`, inside its boundary, or to protected files without the plan's consent.
// It is judged by the attempt's own diff, before the work may queue; with `enforce: fail` it goes back to who did it.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../../core/facts.ts";
import { findMissingCreations, isGlob, listCreations } from "../../../core/ownership/change.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { changedTexts, listPaths, type Saved, textsAt } from "../../../git/index.ts";
import type { OwnershipFinding } from "../../../ownership/finding.ts";
import { rulesBefore } from "../../../ownership/guarded.ts";
import { judgeWork } from "../../../ownership/judge-work.ts";
import type { RunContext } from "../run-context.ts";

export async function ownershipFindings(
  { shadow, masker }: Pick<RunContext, "shadow" | "masker">,
  { since, result, submodules = [] }: Pick<Saved, "since" | "result"> & Partial<Pick<Saved, "submodules">>,
  { task, plan, fitted = [] }: { task: Task; plan: Plan; fitted?: readonly string[] }, // `fitted`: whosever they are
): Promise<Finding[]> {
  const files = await changedTexts(shadow, since.tree, result.tree);
  const { id, owns, boundary, consent = [] } = task;
  const others = plan.tasks.filter((one) => one.id !== id).map((one) => ({ task: one.id, owns: one.owns }));
  const before = await rulesBefore(plan, (paths) => textsAt(shadow, since.tree, paths));
  const found = await judgeWork(files, { owns, boundary, others, consent, before });
  const isFitted = ({ kind, path }: OwnershipFinding) => kind !== "guarded" && fitted.includes(path);
  return found
    .filter((one) => !isFitted(one))
    .map((one) => ({
      kind: KINDS[one.kind],
      path: one.path,
      detail: cut(masker.text(`${formatPointer(submodules, one.path)}${formatDetail(one)}`)),
      blocks: plan.enforce === "fail" && one.kind !== "unsure",
    }));
}

/** `submodule a1b2c3d → d4e5f6a: `, where that is what changed. */
function formatPointer(submodules: Saved["submodules"], path: string): string {
  const moved = submodules.find((one) => one.path === path);
  return moved === undefined ? "" : `submodule ${moved.from.slice(0, 7)} → ${moved.to.slice(0, 7)}: `;
}

/** With everything needed to revert it. */
function formatDetail({ line, detail, owner }: OwnershipFinding): string {
  const place = line === null ? "" : `line ${line}: `;
  return `${place}${detail}${owner === null ? "" : `; owned by ${owner}`}`;
}

const KINDS = {
  outside: "outside-claims",
  symbol: "outside-claims",
  boundary: "boundary",
  guarded: "guarded",
  unsure: "unsure",
} as const;

const MOST_LETTERS = 300;

/** Names in a file may have any length. */
function cut(detail: string): string {
  return detail.length <= MOST_LETTERS ? detail : `${detail.slice(0, MOST_LETTERS - 1)}…`;
}

export type Creator = {
  readonly task: Task;
  /** Where the attempt worked. */
  readonly root: string;
  /** A person may decide that a file is not needed. */
  readonly isPerson: boolean;
  /** It ended as it was to: of one that was cut short nothing is expected. */
  readonly isDone: boolean;
};

/**
 * Files that a task was to create and that are not there when its attempt ends. Ignored ones are in no tree, so the
 * worktree is asked for those.
 */
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
    // Whatever keeps it from being seen, it is not there.
    const found = isGlob(pattern) ? null : await lstat(join(root, pattern)).catch(() => null);
    if (isUnknown || found !== null) continue;
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
