import type { Plan, Task } from "../../../core/plan.ts";
import { commandText } from "../../../core/select/preview/commands.ts";
import { count } from "../../../core/text/figures.ts";
import { kindOf, waveNumbers } from "../../../report/cpo/outline.ts";
import { waveHead } from "../../../report/cpo/progress.ts";

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
