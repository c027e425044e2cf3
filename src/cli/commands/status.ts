import { findRun, followRun, type KnownRun, type RunFiles, runFiles } from "../../app/index.ts";
import { progress } from "../../core/select/progress.ts";
import { cost, times } from "../../core/select/totals.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { rowsOf, type StatusView, statusCommands, statusLines } from "../render/status.ts";
import type { RunCommand } from "../request.ts";
import { filesToShow } from "../run-files.ts";

/** `plait status [run]`: how far a run is, and what is to be done. Whether somebody drives it or not. */
export const status: RunCommand = async (request) => {
  const { output, options } = request;
  const { known } = granted(await findRun(hostOf(request, "plait status"), request.args[0] ?? null));
  const { path } = known.folder;
  const view = await viewOf(known);
  if (options.json === true) output.json(documentOf(known, view, await runFiles(path, view.state)));
  else {
    // A run that goes on after an earlier end has outlived its report.
    const files = view.state.ended === null ? null : await filesToShow(path, view.state);
    const look = { width: output.resultWidth, glyphs: output.glyphs };
    output.result(statusLines({ ...view, files }, look));
  }
  return exitCodes.ok;
};

/** A driver knows more than its journal: what its agents are doing. Time stands still where nobody drives. */
async function viewOf(known: KnownRun): Promise<StatusView> {
  const { state, driver } = known;
  if (driver === null) return { state, driver, now: state.clock, activity: new Map() };
  const { view, close } = await followRun(known);
  close();
  return { state: view.state(), driver, now: view.now(), activity: view.activity() };
}

function documentOf({ run, folder }: KnownRun, view: StatusView, files: RunFiles) {
  const { state, now, driver } = view;
  const { ended, target, startedAt, landing, index } = state;
  return {
    v: 1,
    run,
    folder: folder.path,
    report: view.state.ended === null ? null : files.report,
    artifacts: files.artifacts?.folder ?? null,
    reports: files.reports,
    changed: files.changed,
    plan: { name: index.plan.name, path: index.plan.source.path },
    target,
    startedAt,
    endedAt: ended?.at ?? null,
    outcome: ended?.outcome ?? null,
    driver: driver === null ? null : { pid: driver.pid, host: driver.host },
    landing,
    progress: progress(state, { isDriven: driver !== null }),
    times: times(state, now),
    cost: cost(state),
    tasks: rowsOf(view),
    next: statusCommands(view).map(({ command }) => command),
  };
}
