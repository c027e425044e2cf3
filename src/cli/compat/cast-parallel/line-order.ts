import { progressClock } from "../../present.ts";
import type { ProgressClock } from "../../progress/io.ts";
import type { Talk } from "./talk.ts";

/**
 * The lines of both streams in the order that cast-parallel had: who was started, A before B, that they are waited for, who has
 * completed. Streams start and end as they like, so a line that is early waits for those before it, but never for long.
 */
export type LineOrder = {
  readonly started: (task: string, line: string) => void;
  readonly completed: (task: string, line: string) => void;
  /** Whatever still waits. */
  readonly end: () => void;
};

const LONGEST_MS = 2_000;

/** `tasks` in the order of their lines. */
export function lineOrder(
  tasks: readonly string[],
  talk: Talk,
  clock: ProgressClock = progressClock,
): LineOrder {
  const started = new Set<string>();
  const early = { started: new Map<string, string>(), completed: new Map<string, string>() };
  let isWaiting = false;
  let timer: ReturnType<ProgressClock["setTimer"]> | null = null;
  const all = (lines: Map<string, string>, say: (line: string) => void): void => {
    for (const task of tasks) {
      const line = lines.get(task);
      if (line !== undefined) say(line);
    }
    lines.clear();
  };
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    all(early.started, talk.info);
    if (!isWaiting && started.size === tasks.length) {
      isWaiting = true;
      talk.info("Waiting for parallel sessions to complete...");
    }
    all(early.completed, talk.success);
  };
  const later = (): void => {
    timer ??= clock.setTimer(LONGEST_MS, flush);
  };
  return {
    started: (task, line) => {
      early.started.set(task, line);
      started.add(task);
      const isNext = tasks.slice(0, tasks.indexOf(task)).every((before) => started.has(before));
      if (started.size === tasks.length) flush();
      else if (isNext) all(early.started, talk.info);
      else later();
    },
    completed: (task, line) => {
      early.completed.set(task, line);
      if (isWaiting) flush();
      else later();
    },
    end: flush,
  };
}
