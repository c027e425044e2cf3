import type { TaskPreview } from "../../core/select/preview/preview.ts";
import { shortDuration } from "../../core/select/preview/words.ts";

/** `5m`, and `~5m` where the plan does not say. */
export function estimate(task: TaskPreview): string {
  return `${task.known ? "" : "~"}${shortDuration(task.end - task.start)}`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
