import { amount, count, duration, factor } from "../../text/figures.ts";
import type { SlotsPreview, TimePreview } from "./time.ts";
import type { Widest } from "./width.ts";

/** Whether running the tasks side by side is worth it, said honestly. */
export type Verdict = {
  readonly parallel: boolean;
  readonly reason:
    | "one-task"
    | "one-chain"
    | "one-slot"
    | "little-gain"
    | "little-time"
    | "few-tasks"
    | "worth-it";
  readonly says: string;
};

type Figures = {
  readonly tasks: number;
  readonly widest: Widest;
  readonly slots: SlotsPreview;
  readonly time: TimePreview;
};

/** Below this the trouble of worktrees and merges eats the gain. */
const LITTLE_GAIN = 1.2;
const LITTLE_TIME_MS = 60_000;
const FEW_TASKS = 3;
const GOOD_GAIN_FOR_FEW = 1.6;

export function verdictOn(figures: Figures): Verdict {
  const reason = reasonOf(figures);
  return { parallel: reason === "worth-it", reason, says: sentence(reason, figures) };
}

function reasonOf({ tasks, widest, slots, time }: Figures): Verdict["reason"] {
  if (tasks <= 1) return "one-task";
  if (widest.byNeeds === 1) return "one-chain";
  if (slots.planned === 1) return "one-slot";
  if (time.speedUp < LITTLE_GAIN) return "little-gain";
  if (time.unit === "ms" && time.serial - time.wall < LITTLE_TIME_MS) return "little-time";
  if (tasks <= FEW_TASKS && time.speedUp < GOOD_GAIN_FOR_FEW) return "few-tasks";
  return "worth-it";
}

function sentence(reason: Verdict["reason"], { tasks, widest, time }: Figures): string {
  const gain = `${amount(time.wall, time.unit)} instead of ${amount(time.serial, time.unit)} serially`;
  switch (reason) {
    case "one-task":
      return "one task: nothing to run in parallel";
    case "one-chain":
      return `one long chain of ${count(tasks, "task")}: each needs the one before it, so more slots do not help`;
    case "one-slot":
      return `one slot: tasks run serially; up to ${widest.tasks} could run in parallel`;
    case "little-gain":
      return `speed-up at most ${factor(time.speedUp)}, ${gain}: running serially is as good`;
    case "little-time":
      return `saves ${duration(time.serial - time.wall)}, ${gain}: running serially is as good`;
    case "few-tasks":
      return `${count(tasks, "task")}, ${factor(time.speedUp)}, ${gain}: running serially is nearly as good`;
    case "worth-it":
      return `worth running in parallel: ${factor(time.speedUp)}, ${gain}`;
  }
}
