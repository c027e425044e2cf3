import { isStep, type Plan } from "../../core/plan.ts";
import { type Repository, shortName } from "../../git/index.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { IntegratedTask, JudgedTree } from "../../spec/integrate/report.ts";
import type { TaskWork } from "./own-work.ts";

/** A task as the report shows it. */
export function integratedTask(plan: Plan, work: TaskWork, files: number): IntegratedTask {
  const { id, title, wave } = work.task;
  const commits = work.commits.map(({ commit, subject }) => ({ commit, subject }));
  const { status, from } = work;
  return {
    task: id,
    title,
    wave,
    status,
    commits,
    files,
    from,
    ...(isStep(plan, work.task) && { isStep: true }),
  };
}

/** Findings about a task whose work is missing. */
export function listTaskFindings(
  { task, status, missing }: TaskWork,
  judged: JudgedTree,
  { isShallow }: Pick<Repository, "isShallow">,
): FoundFinding[] {
  const place = { about: task.id, task: task.id, at: null };
  switch (status) {
    case "not-merged":
      return [buildFinding("task-not-merged", { where: formatTree(judged), reason: missing }, place)];
    case "no-commits": {
      // In a shallow clone they may only be missing here.
      const weight = isShallow ? "unclear" : "must";
      return [buildFinding("task-without-commits", { isShallow }, { ...place, weight })];
    }
    default:
      return [];
  }
}

function formatTree({ kind, ref, commit }: JudgedTree): string {
  if (kind === "folder") return "this tree";
  return ref === null ? (commit ?? "").slice(0, 7) : shortName(ref);
}
