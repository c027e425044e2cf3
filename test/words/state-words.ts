import type { RunStatus } from "../../src/core/select/run-status.ts";
import { STATUS_KINDS } from "../../src/core/select/task-status.ts";

/**
 * Every word for the state of a task or of a run. Terminal, web UI, reports, JSON and traces show these and no others: test/words
 * compares them with it.
 */

/** In a table, a report, JSON and a trace. */
export const TASK_STATE_WORDS: readonly string[] = STATUS_KINDS;

const RUN_WORDS: { readonly [K in RunStatus["kind"]]: readonly string[] } = {
  running: ["running", "checking the base commit", "landing", "undoing the landing"],
  paused: ["paused"],
  stopping: ["stopping"],
  held: ["held"],
  interrupted: ["interrupted"],
  landed: ["landed", "landed, not pushed"],
  "partly-landed": ["partly landed"],
  done: ["done"],
  undone: ["undone"],
  stopped: ["stopped"],
  "not-landed": ["not landed", "not started"],
};

/** `kind` of a run's status in JSON, traces and hooks. */
export const RUN_STATE_KINDS: readonly string[] = Object.keys(RUN_WORDS);

/** What people read: in a headline, a list of runs, a tab title. */
export const RUN_STATE_WORDS: readonly string[] = Object.values(RUN_WORDS).flat();
