import type { Keys } from "./keys.ts";
import type { TaskTab } from "./route.ts";

const TABS = { l: "log", t: "transcript", d: "diff", c: "gates", m: "prompt" } as const satisfies {
  readonly [key: string]: TaskTab;
};

/** What a task has to show, a key for each: in its page, and from every view in which one is selected. */
export function taskTabKeys(open: (tab: TaskTab) => unknown): Keys {
  return Object.fromEntries(Object.entries(TABS).map(([key, tab]) => [key, () => open(tab)]));
}
