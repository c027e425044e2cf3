import type { Line } from "../line.ts";

/** What is scrolled: all its lines, cut to the width, and the places that keys jump to. */
export type Body = {
  readonly lines: readonly Line[];
  /** Where files begin, and where hunks do. */
  readonly files: readonly number[];
  readonly hunks: readonly number[];
};

export const bodyOf = (lines: readonly Line[]): Body => ({ lines, files: [], hunks: [] });

/** What can be seen of a task, in the order of the key Tab. */
export const TABS = ["log", "diff", "gates", "prompt"] as const;
export type Tab = (typeof TABS)[number];
