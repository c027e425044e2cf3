import {
  appendSummary,
  baseHints,
  failureTails,
  isJournalError,
  type LocalRun,
  type RunAction,
  type RunFiles,
  type RunOutcome,
  runTexts,
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
  options: DriveOptions = {},
): Promise<ExitCode> {
  const page =
    request.options.ui === true ? await (await import("./serve-page.ts")).servePageOf(run, request) : null;
  const { staysThere = true, cwd } = options;
  const host = { ...hostOf(request, "plait run"), ...(cwd === undefined ? {} : { cwd }) };
  const controls = { act: actOf(run), leave: () => undefined, texts: runTexts(host, run.view) };
  const presenter = await present(run.view, request, { past: run.past, interrupt: "stops", controls });
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
  await summarise(reported, request);
  if (driven.outcome === "red-base") {
    const hints = await baseHints(host, state());
    request.output.say(hints.flatMap((hint) => warn(hint, request.output)));
  }
  await closing;
  return exitCodeOf(driven.outcome, driven.signal);
}

export type DriveOptions = {
  /** Whether its folder is there afterwards. */
  readonly staysThere?: boolean;
  /** The folder that it is driven in, where that is not the one of this process. */
  readonly cwd?: string;
};

/** Whoever sits at this terminal asks the driver itself. */
function actOf({ ask }: LocalRun): (action: RunAction) => Promise<string | null> {
  return async (action) => {
    if (action.kind === "resume") return "The run is driven already.";
    const decision = await ask(action);
    return decision.ok ? null : decision.refusal;
  };
}

/** How a run ended, and the exit code of the signal that came meanwhile. */
export type Driven = { readonly outcome: RunOutcome; readonly signal: ExitCode | null };

/** For the page of a workflow on GitHub: the report of the run, in the file that is named for it. */
async function summarise(
  reported: ReturnType<LocalRun["reported"]>,
  { env, output }: Request,
): Promise<void> {
  if (env.githubStepSummary === null || reported?.ok !== true) return;
  const problem = await appendSummary(env.githubStepSummary, reported.path);
  if (problem !== null) output.say(warn(`the step summary was not written: ${problem}`, output));
}

/** Drives a run in this process, whoever shows it. `abandon` is called when the journal cannot be written any more. */
export async function driveRun(
  run: LocalRun,
  request: Request,
  abandon: () => void | Promise<void>,
): Promise<Driven> {
  const signals = stopOnSignals(run.ask);
  try {
    const outcome = await run.drive();
    return { outcome, signal: signals.code() };
  } catch (error) {
    await abandon();
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
