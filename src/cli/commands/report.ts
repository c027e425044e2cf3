import { findRun, reportOf } from "../../app/index.ts";
import { jsonReport } from "../../report/json.ts";
import { markdownReport } from "../../report/markdown.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";

/** `plait report [run]`: made anew from the journal, so that it also tells of a run that goes on. */
export const report: RunCommand = async (request) => {
  const host = hostOf(request, "plait report");
  const found = granted(await findRun(host, request.args[0] ?? null));
  const made = await reportOf(host, found);
  request.output.raw(request.options.format === "json" ? jsonReport(made) : markdownReport(made));
  return exitCodes.ok;
};
