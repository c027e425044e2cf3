import type { Options } from "./flags.ts";
import { UsageError } from "./request-error.ts";

/** This process serves the web UI, and with `--detach` it exits at once. */
export function refuseHiddenPage({ ui, detach }: Options, command: string): void {
  if (ui !== true || detach !== true) return;
  throw new UsageError(
    "--ui and --detach cannot be combined",
    `start the run, then serve it: ${command} && plait ui`,
  );
}
