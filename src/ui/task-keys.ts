import type { RunId, TaskId } from "../core/ids.ts";
import { navigate } from "./context.ts";
import { type Keys, useKeys } from "./keys.ts";
import { type RunView, type TaskTab, taskRoute } from "./route.ts";

type KeyedRows = {
  readonly view: RunView;
  readonly run: RunId;
  /** As they stand below each other. */
  readonly tasks: readonly TaskId[];
  readonly selected: TaskId | null;
};

/** Keys of a list of tasks: up and down select, Enter leads to the task, Escape lets go. */
export function useRowKeys({ view, run, tasks, selected }: KeyedRows): void {
  const select = (task: TaskId | null) => navigate({ view, run, selected: task }, { instead: true });
  useKeys({
    ...stepKeys(tasks, selected, select),
    Enter: () => {
      if (selected === null) return false;
      return navigate(taskRoute(run, selected));
    },
    Escape: () => (selected === null ? false : select(null)),
  });
}

/** From one to the next in a list; from none to its first or last. */
export function stepKeys<T>(all: readonly T[], at: T | null, go: (to: T) => void): Keys {
  const step = (by: 1 | -1) => () => {
    const now = at === null ? -1 : all.indexOf(at);
    const next = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by];
    if (next !== undefined) go(next);
  };
  return { ArrowUp: step(-1), k: step(-1), ArrowDown: step(1), j: step(1) };
}

const TABS = { l: "log", t: "transcript", d: "diff", c: "gates", m: "prompt" } as const satisfies {
  readonly [key: string]: TaskTab;
};

/** What a task has to show, a key for each: in its page, and from every view in which one is selected. */
export function taskTabKeys(open: (tab: TaskTab) => unknown): Keys {
  return Object.fromEntries(Object.entries(TABS).map(([key, tab]) => [key, () => open(tab)]));
}
