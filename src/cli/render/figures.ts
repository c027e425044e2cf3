import type { Range } from "../../core/plan.ts";
import type { TaskPreview } from "../../core/select/preview/preview.ts";
import { dollars, shortDuration } from "../../core/text/figures.ts";

export { dollars };

/** `5m`, and `~5m` where the plan does not say; `-` for a step, which counts for nothing. */
export function estimate(task: TaskPreview): string {
  if (task.end === task.start) return "-";
  return `${task.known ? "" : "~"}${shortDuration(task.end - task.start)}`;
}

/** `$5.00 to $9.00`, or `$9.00` when both are the same. */
export function dollarRange({ low, high }: Range): string {
  return dollars(low) === dollars(high) ? dollars(low) : `${dollars(low)} to ${dollars(high)}`;
}
