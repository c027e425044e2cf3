import type { TaskId } from "./ids.ts";

/** A shared file in which the additions of several tasks were kept. */
export type SharedMerge = {
  readonly path: string;
  readonly task: TaskId;
  /** Merged before it. */
  readonly with: readonly TaskId[];
};
