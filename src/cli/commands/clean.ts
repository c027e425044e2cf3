import { cleanRuns } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted, requireConfig } from "../host.ts";
import { cleanedLines } from "../render/clean.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait clean [run]`: removes old runs and prints what was removed. */
export const clean: RunCommand = async (request) => {
  const { options, output } = request;
  const [run = null] = request.args;
  if (run !== null && options.days !== undefined) {
    throw new RequestError("--days and a run cannot be combined", `remove --days: plait clean ${run}`);
  }
  const { dryRun = false, force = false } = options;
  const days = options.days ?? (await requireConfig(request, "plait clean")).keep.days;
  const host = createHost(request, "plait clean");
  const { removed, stays, talks, copies } = granted(await cleanRuns(host, { run, days, dryRun, force }));
  if (options.json === true) output.json({ v: 1, dryRun, removed, stays, talks, copies });
  else
    output.result(
      cleanedLines(
        { removed, stays, talks, copies },
        { dryRun, days: run === null ? days : null },
        output.glyphs,
      ),
    );
  // A named run that was not removed is a failure.
  return run !== null && stays.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};
