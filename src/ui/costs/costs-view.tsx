import type { TaskId } from "../../core/ids.ts";
import { useMoment } from "../context.ts";

export function CostsView({ selected }: { readonly selected: TaskId | null }) {
  const { rows } = useMoment();
  return (
    <ul>
      {rows.map(({ task, shown }) => (
        <li key={task} aria-current={task === selected}>
          {task} {shown}
        </li>
      ))}
    </ul>
  );
}
