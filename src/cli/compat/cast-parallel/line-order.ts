import { progressClock } from "../../present.ts";
import type { ProgressClock } from "../../progress/io.ts";
import type { Talk } from "./talk.ts";

/**
 * The lines of both streams in the order that cast-parallel had: the worktrees, who was started, A before B, that they are
 * waited for, who has completed. Streams start and end as they like, so a line that is early waits for those before it, but
 * never for long.
 */
export type LineOrder = {
  readonly started: (task: string, lines: StartLines) => void;
  readonly completed: (task: string, line: string) => void;
  /** Prints whatever still waits. */
  readonly flush: () => void;
};

/** The worktree of a stream is there, and its agent was started in it. */
export type StartLines = { readonly worktree: string; readonly agent: string };

const LONGEST_MS = 2_000;

/** `tasks` in the order of their lines. */
export function lineOrder(
  tasks: readonly string[],
  talk: Talk,
  clock: ProgressClock = progressClock,
): LineOrder {
  const started = new Set<string>();
  const early = { started: new Map<string, StartLines>(), completed: new Map<string, string>() };
  let [isLaunched, isWaiting] = [false, false];
  let timer: ReturnType<ProgressClock["setTimer"]> | null = null;
  const takeAll = <Line>(lines: Map<string, Line>): Line[] => {
    const taken = tasks.flatMap((task) => lines.get(task) ?? []);
    lines.clear();
    return taken;
  };
  const sayStarted = (lines: readonly StartLines[]): void => {
    if (lines.length === 0) return;
    if (!isLaunched) talk.success("Worktrees created:");
    for (const { worktree } of lines) talk.detail(worktree);
    if (!isLaunched) talk.info("Launching parallel sessions...");
    isLaunched = true;
    for (const { agent } of lines) talk.info(agent);
  };
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    sayStarted(takeAll(early.started));
    if (!isWaiting && started.size === tasks.length) {
      isWaiting = true;
      talk.info("Waiting for parallel sessions to complete...");
    }
    for (const line of takeAll(early.completed)) talk.success(line);
  };
  const later = (): void => {
    timer ??= clock.setTimer(LONGEST_MS, flush);
  };
  return {
    started: (task, lines) => {
      early.started.set(task, lines);
      started.add(task);
      if (started.size === tasks.length) flush();
      else later();
    },
    completed: (task, line) => {
      early.completed.set(task, line);
      if (isWaiting) flush();
      else later();
    },
    flush,
  };
}
