import type { DiffDocument, TaskAttemptRef } from "../../report/page/wire.ts";
import type { Loaded } from "../parts/use-loaded.ts";
import type { TaskRoute } from "../route.ts";
import type { ShownAttempt, ShownTask } from "./use-task.ts";

/** What every tab is given. */
export type TabProps = {
  readonly shown: ShownTask;
  readonly attempt: ShownAttempt;
  readonly route: TaskRoute;
  /** What the attempt changed against its base. */
  readonly base: Loaded<DiffDocument>;
};

export const toAttemptRef = ({ run, task }: TaskRoute, n: number): TaskAttemptRef => ({ run, task, n });
