import type { RunId, TaskId } from "../core/ids.ts";
import { navigate } from "./context.ts";
import { useKeys } from "./keys.ts";

export type KeyedRows = {
  readonly view: "timeline" | "costs";
  readonly run: RunId;
  /** As they stand below each other. */
  readonly tasks: readonly TaskId[];
  readonly selected: TaskId | null;
};

/** Keys of a list of tasks: up and down select, Enter leads to the task, Escape lets go. */
export function useRowKeys({ view, run, tasks, selected }: KeyedRows): void {
  const select = (task: TaskId | null) => navigate({ view, run, selected: task }, { instead: true });
  const step = (by: 1 | -1): void => {
    const at = selected === null ? -1 : tasks.indexOf(selected);
    const first = by === 1 ? 0 : tasks.length - 1;
    const next = tasks[at < 0 ? first : at + by];
    if (next !== undefined) select(next);
  };
  const down = () => step(1);
  const up = () => step(-1);
  useKeys({
    ArrowDown: down,
    ArrowUp: up,
    j: down,
    k: up,
    Enter: () => {
      if (selected === null) return false;
      return navigate({ view: "task", run, task: selected, tab: "transcript", attempt: null });
    },
    Escape: () => (selected === null ? false : select(null)),
  });
}
