/** What can be seen of a task, in the order of the key Tab. */
export const TABS = ["log", "diff", "gates", "prompt"] as const;
export type Tab = (typeof TABS)[number];
