import { failureTails, isJournalError, type LocalRun, type RunOutcome } from "../app/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { present } from "./present.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";
import { stopOnSignals } from "./signals.ts";

/** Drives a run in this process, shows it, and says how it ended. */
export async function driveHere(run: LocalRun, request: Request): Promise<ExitCode> {
  const signals = stopOnSignals(run.ask);
  const presenter = present(run.view, request, { past: run.past, interrupt: "stops" });
  try {
    const outcome = await run.drive();
    const state = run.view.state();
    await presenter.end(await failureTails(run.view.folder, state));
    return exitCodeOf(outcome, signals.code());
  } catch (error) {
    presenter.abandon();
    if (!isJournalError(error)) throw error;
    // A full disk, or a folder that was taken away: nothing more can be remembered, so nothing more is done.
    const { message, hint } = error.failure;
    const resume = `then go on: plait resume ${run.view.run}`;
    request.output.say([...warn(message, request.output), ...warn(`${hint}; ${resume}`, request.output)]);
    // Not left to the event loop: what could not be ended must not keep this process, and with it its reaper, alive.
    process.exit(exitCodes.incomplete);
  } finally {
    signals.end();
  }
}

/** A run that was complete when the signal came is complete. */
export function exitCodeOf(outcome: RunOutcome, signal: ExitCode | null = null): ExitCode {
  if (outcome === "complete") return exitCodes.ok;
  if (outcome === "red-base") return exitCodes.badEnvironment;
  return signal ?? exitCodes.incomplete;
}
