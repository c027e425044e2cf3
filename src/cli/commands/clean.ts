import { cleanRuns } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf, neededConfig } from "../host.ts";
import { cleanedLines } from "../render/clean.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait clean [run]`: removes what runs left, and says what. */
export const clean: RunCommand = async (request) => {
  const { options, output } = request;
  const [run = null] = request.args;
  if (run !== null && options.days !== undefined) {
    throw new RequestError("--days is for all runs, and one is named", `leave it out: plait clean ${run}`);
  }
  const { dryRun = false } = options;
  const days = options.days ?? (await neededConfig(request, "plait clean")).keep.days;
  const host = hostOf(request, "plait clean");
  const { removed, stays, talks } = granted(await cleanRuns(host, { run, days, dryRun }));
  if (options.json === true) output.json({ v: 1, dryRun, removed, stays, talks });
  else
    output.result(
      cleanedLines({ removed, stays, talks }, { dryRun, days: run === null ? days : null }, output.glyphs),
    );
  // Whoever names a run wants it gone.
  return run !== null && stays.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};
