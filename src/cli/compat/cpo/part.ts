import type { KnownRun } from "../../../app/index.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { commandText } from "../../../core/select/preview/commands.ts";
import { otherCommand, plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { command, sentence } from "../../../core/text/sentence.ts";
import { kindOf, waveNumbers } from "../../../report/cpo/outline.ts";
import { waveHead } from "../../../report/cpo/progress.ts";
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

/** Of those that are to run, who has to do without. */
export function warnOfSkipped(
  toRun: readonly string[],
  { tasks }: Plan,
  skip: readonly string[],
  { output }: Request,
): void {
  for (const { id, needs } of tasks.filter((task) => toRun.includes(task.id))) {
    const missed = needs.filter((need) => skip.includes(need));
    const text = `${id} needs ${missed.join(", ")}, which is skipped; ${id} starts without it`;
    if (missed.length > 0) output.warn(text);
  }
}

export function refuseDriven(runs: readonly KnownRun[], { named, typed }: CpoFolder): void {
  const driven = runs.find(({ driver }) => driver !== null);
  if (driven === undefined) return;
  throw new EnvironmentError(
    `${driven.run} is already running ${named}`,
    sentence`show it: ${command(otherCommand(typed, "status", named))}; or stop it: ${command(plait("stop", driven.run, { now: true }))}`,
  );
}

/** What a run would do, wave by wave. */
export function dryRunLines({ tasks, slots }: Plan, only: readonly string[] | null): string[] {
  const numberOf = waveNumbers({ tasks });
  const chosen = tasks.filter(({ id }) => only === null || only.includes(id));
  const waves = [...new Set(chosen.map(numberOf))].sort((a, b) => a - b);
  const listed = chosen.filter((task) => kindOf(task) === "task").length;
  return [
    ...waves.flatMap((number) => [
      waveHead(number),
      ...chosen.filter((task) => numberOf(task) === number).map(dryRunLine),
    ]),
    `Would run ${count(listed, "task")}, up to ${slots} at once. Nothing was started.`,
  ];
}

function dryRunLine(task: Task): string {
  const { work } = task;
  if (work.kind === "command") return `  ${kindOf(task)}: ${commandText(work.run)}`;
  const from = work.prompt.file === null ? "" : `, ${work.prompt.file}`;
  return `  ${task.id}: ${work.agent.name ?? work.agent.use}${from}`;
}
