import type { Ball, ShownState } from "./task-rows.ts";

/** Who moves a task on; the colour of its signs, in terminal, page and pictures. */
export const ballOf: { readonly [S in ShownState]: Ball } = {
  running: "agents",
  fixing: "agents",
  preparing: "plait",
  saving: "plait",
  gating: "plait",
  queued: "plait",
  merging: "plait",
  backoff: "clock",
  parked: "clock",
  held: "you",
  failed: "you",
  waiting: "later",
  skipped: "later",
  cancelled: "later",
  stopped: "later",
  "cut-off": "later",
  merged: "done",
  passed: "done",
};

/** States that have another word than their name. */
const WORDS: { readonly [S in ShownState]?: string } = { backoff: "back-off", "cut-off": "cut off" };

export const stateWord = (shown: ShownState): string => WORDS[shown] ?? shown;
