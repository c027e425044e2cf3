import type { KnownRun } from "../../../app/index.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { kindOf } from "../../../report/cpo/outline.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError } from "../../request-error.ts";
import type { CpoFolder } from "./folder.ts";

/** Whether `--skip` leaves a task out. A validation goes with the tasks that it judges. */
export function skipping(skip: readonly string[]): (task: Task) => boolean {
  const skipped = new Set<string>(skip);
  return (task) =>
    skipped.has(task.id) ||
    (kindOf(task) === "validation" && task.needs.length > 0 && task.needs.every((id) => skipped.has(id)));
}

type Skipping = { readonly request: Request; readonly skip: readonly string[] };

/** Of those that are to run, who has to do without. */
export function warnOfSkipped(toRun: readonly string[], { tasks }: Plan, { request, skip }: Skipping): void {
  const { output } = request;
  for (const { id, needs } of tasks.filter((task) => toRun.includes(task.id))) {
    const missed = needs.filter((need) => skip.includes(need));
    const text = `${id} needs ${missed.join(", ")}, which is skipped: it starts without`;
    if (missed.length > 0) output.warn(text);
  }
}

export function refuseDriven(runs: readonly KnownRun[], { named, typed }: CpoFolder): void {
  const driven = runs.find(({ driver }) => driver !== null);
  if (driven === undefined) return;
  throw new EnvironmentError(
    `${driven.run}, a run of ${named}, is under way`,
    `see it: ${typed} status ${named}; or stop it first: plait stop --now ${driven.run}`,
  );
}
