import type { PastAttempt, TaskState } from "../run-state.ts";

/** The attempt that stands for its task: the one whose work was merged, else the last one that is over. */
export function pickShownAttempt({ phase, past }: TaskState): PastAttempt | null {
  const isTaken = phase.kind === "merged" || phase.kind === "passed" || phase.kind === "queued";
  return (isTaken ? past.find(({ id }) => id === phase.attempt) : past.at(-1)) ?? null;
}
