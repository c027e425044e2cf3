import { findRun, readRunStatus, runFiles, SHOWN, statusDocument } from "../../app/index.ts";
import { plait } from "../../core/text/command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { statusLines } from "../render/status.ts";
import type { RunCommand } from "../request.ts";
import { filesToShow } from "../run-files.ts";

/** `plait status [run]`: progress of a run and the next commands, whether it is running or not. */
export const status: RunCommand = async (request) => {
  const { output, options } = request;
  const { known } = granted(
    await findRun(createHost(request, plait("status")), request.args[0] ?? null, SHOWN),
  );
  const { path } = known.folder;
  const seen = await readRunStatus(known);
  if (options.json === true) output.json(statusDocument(known, seen, await runFiles(path, seen.state)));
  else {
    // A run that goes on after an earlier end has outlived its report.
    const files = seen.state.ended === null ? null : await filesToShow(path, seen.state);
    output.result(statusLines({ ...seen, files }, output.look));
  }
  return exitCodes.ok;
};
