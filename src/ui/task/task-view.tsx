import type { TaskId } from "../../core/ids.ts";
import { useMoment } from "../context.ts";
import type { TaskTab } from "../route.ts";

export type TaskViewProps = { readonly task: TaskId; readonly tab: TaskTab; readonly attempt: number | null };

export function TaskView({ task }: TaskViewProps) {
  const row = useMoment().rows.find((one) => one.task === task);
  return <h2>{row === undefined ? `There is no task ${task} in this run.` : `${task} ${row.shown}`}</h2>;
}
