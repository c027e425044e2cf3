import type { Lost, TaskDraft } from "../draft.ts";
import type { Diagnostic } from "../source.ts";
import { readPaths } from "./claims.ts";
import { checkCycles } from "./cycles.ts";
import { collectFindings, startOf } from "./findings.ts";
import { checkNames } from "./names.ts";
import { readNeeds } from "./needs.ts";
import { checkOwnership } from "./ownership.ts";

/**
 * Names, order and ownership of tasks that are no plan yet: what is said of them is what `analyze` will report of the plan, and
 * files that are created must be named, since that can still be done. All of them may write.
 */
export function analyzeScopes(
  tasks: readonly TaskDraft[],
  { file, lost }: { readonly file: string; readonly lost: Lost["tasks"] },
): Diagnostic[] {
  const { report, sorted } = collectFindings();
  const names = checkNames(tasks, report);
  const needs = readNeeds(tasks, { names, lost: { tasks: lost, groups: [] } }, report);
  checkCycles(tasks, needs, report);
  const settings = { access: "write" } as const;
  const scoped = tasks.map((draft) => ({ draft, settings, paths: readPaths(draft, report) }));
  checkOwnership(scoped, { names, needs, strict: false, exact: true, planAt: startOf(file), report });
  return sorted();
}
