import type { Plan } from "../../core/plan.ts";
import { isStep } from "../../core/plan-steps.ts";
import { type Repository, shortName } from "../../git/index.ts";
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

/** What is said of a task whose work is not there. */
export function taskFindings(
  { task, status, missing }: TaskWork,
  judged: JudgedTree,
  { isShallow }: Pick<Repository, "isShallow">,
): FoundFinding[] {
  const base = { area: "tasks", weight: "must", about: task.id, task: task.id, at: null } as const;
  const why = missing === null ? "" : `: ${missing}`;
  switch (status) {
    case "not-merged":
      return [
        { ...base, code: "task-not-merged", message: `its work is no part of ${placeWords(judged)}${why}` },
      ];
    case "no-commits": // in a clone that is cut off they may only be out of sight
      return [
        {
          ...base,
          ...(isShallow ? { weight: "cannot-tell" } : {}),
          code: "task-without-commits",
          message: `no commit of it is known${why}`,
        },
      ];
    default:
      return [];
  }
}

function placeWords({ kind, ref, commit }: JudgedTree): string {
  if (kind === "folder") return "this tree";
  return ref === null ? (commit ?? "").slice(0, 7) : shortName(ref);
}
