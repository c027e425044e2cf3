import type { Host } from "../../app/host.ts"; // not by the index, which brings the engine along
import { findArtifactFolder, isArtifactFolder } from "../../app/integrate/artifact-folder.ts";
import { isInsideRun } from "../../app/integrate/subject.ts";
import { repositoryOfRuns, runNames } from "../../app/runs.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { pickGiven } from "../flag.ts";
import { createHost, granted } from "../host.ts";
import { withOnlyPlan } from "../plan-file.ts";
import type { Request, RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";
import { checkParts, readSubject, reportParts, type ToIntegrate } from "./integrate.ts";

/** `plait integrate [plan]`: a plan of any format; by default that of the latest run, or the only plan. */
export const integrate: RunCommand = async (given) => {
  const host = createHost(given, plait("integrate"));
  const isOfRun = given.options.run !== undefined || isInsideRun(host) || (await hasRuns(host));
  const request = isOfRun ? given : await withOnlyPlan(given, plait("integrate"));
  const [named = null] = request.args;
  const isFolder = named !== null && (await isArtifactFolder(host, named));
  return integratePlan(request, { host, named, isFolder });
};

async function hasRuns(host: Host): Promise<boolean> {
  const found = await repositoryOfRuns(host);
  return found.ok && (await runNames(found.repository)).length > 0;
}

export async function integratePlan(request: Request, about: ToIntegrate): Promise<ExitCode> {
  refuseWithEnforce(request);
  const { fix: isFixed, rounds } = request.options;
  if (isFixed !== true && rounds !== undefined)
    throw new UsageError(
      "--rounds needs --fix",
      fix("add the flag", plait("integrate", [], { fix: true, rounds: 3 })),
    );
  if (isFixed === true) return (await import("./integrate-fix.ts")).fixParts(request, about);
  const subject = await readSubject(request, about);
  if (subject === null) return exitCodes.badRequest;
  const judged = await checkParts(request, subject);
  return "ended" in judged ? judged.ended : reportParts(request, { ...judged, about, fix: null });
}

/** A gate starts and writes nothing, so these flags would be ignored. */
function refuseWithEnforce({ options }: Request): void {
  if (options.enforce !== true) return;
  const { fix, out, agent, model, budgetUsd: budget, timeout } = options;
  const given = { fix, out, agent, model, "budget-usd": budget, timeout };
  const [wrong] = Object.keys(pickGiven(given)).map((name) => `--${name}`);
  if (wrong !== undefined)
    throw new UsageError(
      `${wrong} and --enforce cannot be combined`,
      `remove one of them: ${wrong} or --enforce`,
    );
}

/** `plait spec integrate`: the named artifact folder, or the only one. */
export const specIntegrate: RunCommand = async (request) => {
  const host = createHost(request, plait("spec integrate"));
  const { named } = granted(await findArtifactFolder(host, request.options.parallelDir ?? null));
  return integratePlan(request, { host, named, isFolder: true });
};
