import type { Options } from "./flags.ts";
import { UsageError } from "./request-error.ts";

/** The process that serves the page is this one, and with `--detach` it ends at once. */
export function refuseHiddenPage({ ui, detach }: Options, command: string): void {
  if (ui !== true || detach !== true) return;
  throw new UsageError(
    "--ui does not go with --detach",
    `first ${command}, then plait ui with the name of the run`,
  );
}
