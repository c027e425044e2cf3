import {
  appendSummary,
  driveDetached,
  failureTails,
  isJournalError,
  type LocalRun,
  type RunAction,
  type RunFiles,
  runTexts,
} from "../app/index.ts";
import { listBaseHints } from "../core/select/base-steps.ts";
import { type EndedStatus, findEndStatus, findStatusObstacle } from "../core/select/run-status.ts";
import { type Command, formatCommand, forRun, plait } from "../core/text/command.ts";
import { formatRefusal } from "../core/text/refusal.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import type { Options } from "./flags.ts";
import { createHost, driverProgram, granted } from "./host.ts";
import { present } from "./present.ts";
import { backgroundLines } from "./render/status.ts";
import type { Request } from "./request.ts";
import { UsageError } from "./request-error.ts";
import { filesToShow } from "./run-files.ts";
import { stopOnSignals } from "./signals.ts";

const NO_FILES: RunFiles = { report: null, artifacts: null, reports: [], changed: [] };

/** Runs in this process, shows progress, and returns the exit code. */
export async function driveHere(
  run: LocalRun,
  request: Request,
  options: DriveOptions = {},
): Promise<ExitCode> {
  const page =
    request.options.ui === true ? await (await import("./serve-page.ts")).servePageOf(run, request) : null;
  const { staysThere = true, cwd } = options;
  const host = { ...createHost(request, plait("run")), ...(cwd === undefined ? {} : { cwd }) };
  const controls = { act: createActor(run), leave: () => undefined, texts: runTexts(host, run.view) };
  const presenter = await present(run.view, request, { past: run.past, interrupt: "stops", controls });
  let closing: Promise<void> | undefined;
  const driven = await driveRun(run, request, presenter.abandon).finally(() => {
    closing = page?.close();
  });
  const { folder, state } = run.view;
  const reported = run.reported();
  const files = staysThere ? await filesToShow(folder, state()) : NO_FILES;
  // An earlier end may have left a report that is not about this one.
  const ours = reported?.ok === true ? files : { ...files, report: null };
  await presenter.end(await failureTails(folder, state()), ours);
  if (reported?.ok === false) request.output.warn(`cannot write the report: ${reported.problem}`);
  if (reported?.ok === true) request.output.warn(...reported.warnings);
  await writeStepSummary(reported, request);
  if (findStatusObstacle(driven.status)?.kind === "red-base")
    request.output.warn(...listBaseHints(state()).map((hint) => plainText(hint)));
  await closing;
  return findExitCode(driven);
}

export type DriveOptions = {
  /** Whether the folder still exists afterwards. */
  readonly staysThere?: boolean;
  /** The working folder (default: that of this process). */
  readonly cwd?: string;
};

/** Keys in this terminal act on the run directly. */
function createActor({ ask }: LocalRun): (action: RunAction) => Promise<string | null> {
  return async (action) => {
    if (action.kind === "resume") return "The run is already running.";
    const decision = await ask(action);
    return decision.ok ? null : formatRefusal(decision.refusal);
  };
}

/** How a run ended, and the exit code of a signal received meanwhile. */
export type Driven = { readonly status: EndedStatus; readonly signal: ExitCode | null };

/** The report of the run, for the summary of a GitHub workflow. */
async function writeStepSummary(
  reported: ReturnType<LocalRun["reported"]>,
  { env, output }: Request,
): Promise<void> {
  if (env.githubStepSummary === null || reported?.ok !== true) return;
  const problem = await appendSummary(env.githubStepSummary, reported.path);
  if (problem !== null) output.warn(`cannot write the step summary: ${problem}`);
}

/** Runs in this process without showing progress. `abandon` is called when the journal can no longer be written. */
export async function driveRun(
  run: LocalRun,
  request: Request,
  abandon: () => void | Promise<void>,
): Promise<Driven> {
  const signals = stopOnSignals(run.ask);
  try {
    await run.drive();
    return { status: findEndStatus(run.view.state()), signal: signals.code() };
  } catch (error) {
    await abandon();
    if (!isJournalError(error)) throw error;
    // A full disk, or a removed folder: nothing can be recorded, so nothing more may happen.
    const { message, hint } = error.failure;
    const resume = `Then resume the run: ${formatCommand(forRun(run.view.state(), plait("resume", run.view.run)))}`;
    request.output.warn(message, `${hint}. ${resume}`);
    // Not left to the event loop: a process that could not be ended must not keep this one and its reaper alive.
    process.exit(exitCodes.badEnvironment);
  } finally {
    signals.end();
  }
}

/** A run that was complete when the signal came stays complete. */
export const findExitCode = ({ status: { exit }, signal }: Driven): ExitCode =>
  exit === exitCodes.ok ? exit : (signal ?? exit);

/** Continues a run of this process in a background process. */
export async function detach(begun: LocalRun, request: Request): Promise<ExitCode> {
  const { options, output } = request;
  const { run, folder } = begun.view;
  await begun.close();
  const argv = driverProgram(request)(["resume", run, "--quiet"]);
  const { pid, log } = granted(
    await driveDetached(createHost(request, plait("resume")), {
      run,
      folder,
      argv,
      since: begun.past.length,
    }),
  );
  if (options.json === true) output.json({ v: 1, run, pid, log });
  else
    output.result([
      [`${run} is running in the background (process ${pid})`],
      ...backgroundLines(run, output.look),
    ]);
  return exitCodes.ok;
}

/** This process serves the web UI, and with `--detach` it exits at once. */
export function refuseHiddenPage({ ui, detach }: Options, typed: Command): void {
  if (ui !== true || detach !== true) return;
  throw new UsageError(
    "--ui and --detach cannot be combined",
    sentence`start the run, then serve it: ${command(typed)} && ${command(plait("ui"))}`,
  );
}
