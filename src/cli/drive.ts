import {
  baseHints,
  failureTails,
  isJournalError,
  type LocalRun,
  type RunFiles,
  type RunOutcome,
} from "../app/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { hostOf } from "./host.ts";
import { present } from "./present.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";
import { filesToShow } from "./run-files.ts";
import { stopOnSignals } from "./signals.ts";

const NO_FILES: RunFiles = { report: null, artifacts: null, reports: [], changed: [] };

/** Drives a run in this process, shows it, and says how it ended. */
export async function driveHere(
  run: LocalRun,
  request: Request,
  { staysThere = true }: { readonly staysThere?: boolean } = {},
): Promise<ExitCode> {
  const page =
    request.options.ui === true ? await (await import("./serve-page.ts")).servePageOf(run, request) : null;
  const presenter = present(run.view, request, { past: run.past, interrupt: "stops" });
  let closing: Promise<void> | undefined;
  const driven = await driveRun(run, request, presenter.abandon).finally(() => {
    closing = page?.close();
  });
  const { folder, state } = run.view;
  const reported = run.reported();
  const files = staysThere ? await filesToShow(folder, state()) : NO_FILES;
  // An earlier end may have left a report: it does not tell of this one.
  const ours = reported?.ok === true ? files : { ...files, report: null };
  await presenter.end(await failureTails(folder, state()), ours);
  if (reported?.ok === false)
    request.output.say(warn(`the report was not written: ${reported.problem}`, request.output));
  for (const warning of reported?.ok === true ? reported.warnings : [])
    request.output.say(warn(warning, request.output));
  if (driven.outcome === "red-base") {
    const hints = await baseHints(hostOf(request, "plait run"), state());
    request.output.say(hints.flatMap((hint) => warn(hint, request.output)));
  }
  await closing;
  return exitCodeOf(driven.outcome, driven.signal);
}

/** How a run ended, and the exit code of the signal that came meanwhile. */
export type Driven = { readonly outcome: RunOutcome; readonly signal: ExitCode | null };

/** Drives a run in this process, whoever shows it. `abandon` is called when the journal cannot be written any more. */
export async function driveRun(run: LocalRun, request: Request, abandon: () => void): Promise<Driven> {
  const signals = stopOnSignals(run.ask);
  try {
    const outcome = await run.drive();
    return { outcome, signal: signals.code() };
  } catch (error) {
    abandon();
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
