// The one numbering of attempts: `#n` among all attempts of a task, and the retry or the fix that it is. Every view takes it from here.

import { type AttemptId, splitAttemptId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { countAttempt } from "../queries.ts";
import type { AttemptCount, LiveAttempt, PastAttempt, TaskState } from "../run-state.ts";

export type AttemptNumber = {
  /** From 1, through all attempts of the task, whoever made them. */
  readonly n: number;
  /** Null for a person's: it counts against nothing. */
  readonly count: AttemptCount | null;
};

export function numberAttempt({ id, count }: Pick<LiveAttempt, "id" | "count">): AttemptNumber {
  return { n: splitAttemptId(id).n, count };
}

/** `#1`: an attempt where its task is named beside it. */
export const formatAttemptId = (id: AttemptId): string => `#${splitAttemptId(id).n}`;

/** How many a task has had: the number of the last one, whoever made it and whether or not it changed anything. */
export function countAttempts({ started }: Pick<TaskState, "started">): number {
  return started;
}

/** How many of them started fresh and counted: one that starts again after an interruption is the same retry. */
export function countRetries({ past, live }: TaskState): number {
  let [total, last] = [0, 0];
  for (const { count } of [...past, ...live]) {
    if (count === null || count.kind === "fix") continue;
    const n = count.kind === "retry" ? count.n : 0;
    if (n > 0 && n !== last) total += 1;
    last = n;
  }
  return total;
}

/** The one under way, else the last; null before the first. */
export function numberLastAttempt({ live, past }: TaskState): AttemptNumber | null {
  const last = live.at(-1) ?? past.at(-1);
  return last === undefined ? null : numberAttempt(last);
}

/** The one that comes. */
export function numberNextAttempt(task: Task, of: TaskState): AttemptNumber {
  return { n: of.started + 1, count: countAttempt(task, of, of.fix !== null) };
}

/** `retry 1 of 2`, `fix 1 of 2`; empty for a first attempt and one that starts again without counting. */
export function formatAttemptCount(number: AttemptNumber | null): string {
  const count = number?.count ?? null;
  return count === null || count.kind === "first" ? "" : `${count.kind} ${count.n} of ${count.of}`;
}

/** `#1`, `#2, retry 1 of 2`, `#3, fix 1 of 2`; in a sentence `attempt 3, fix 1 of 2`. */
export function formatAttemptNumber(number: AttemptNumber, mark: "#" | "attempt " = "#"): string {
  const count = formatAttemptCount(number);
  return `${mark}${number.n}${count === "" ? "" : `, ${count}`}`;
}

/** The attempt that stands for its task: the one whose work was merged, else the last one that is over. */
export function pickShownAttempt({ phase, past }: TaskState): PastAttempt | null {
  const isTaken = phase.kind === "merged" || phase.kind === "passed" || phase.kind === "queued";
  return (isTaken ? past.find(({ id }) => id === phase.attempt) : past.at(-1)) ?? null;
}
