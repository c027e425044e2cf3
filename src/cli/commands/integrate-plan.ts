import { isArtefactFolder } from "../../app/integrate/artefact-folder.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { hostOf } from "../host.ts";
import type { Request, RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";
import { judgeParts, readSubject, reportParts, type ToIntegrate } from "./integrate.ts";

/** `plait integrate [plan]`: a plan of any format, or that of the latest run. */
export const integrate: RunCommand = async (request) => {
  const host = hostOf(request, "plait integrate");
  const [named = null] = request.args;
  const isFolder = named !== null && (await isArtefactFolder(host, named));
  return integratePlan(request, { host, named, isFolder });
};

export async function integratePlan(request: Request, about: ToIntegrate): Promise<ExitCode> {
  refuseWithEnforce(request);
  const { fix, rounds } = request.options;
  if (fix !== true && rounds !== undefined)
    throw new UsageError("--rounds needs --fix", "add it: plait integrate --fix --rounds 3");
  if (fix === true) return (await import("./integrate-fix.ts")).fixParts(request, about);
  const subject = await readSubject(request, about);
  if (subject === null) return exitCodes.badRequest;
  const judged = await judgeParts(request, subject);
  return "ended" in judged ? judged.ended : reportParts(request, { ...judged, about, fix: null });
}

/** A gate starts nothing and writes nothing, so what is about that is a mistake. */
function refuseWithEnforce({ options }: Request): void {
  if (options.enforce !== true) return;
  const flags = {
    fix: "--fix",
    out: "--out",
    agent: "--agent",
    model: "--model",
    budgetUsd: "--budget-usd",
    timeout: "--timeout",
  } as const;
  const [wrong] = (Object.keys(flags) as (keyof typeof flags)[]).filter(
    (name) => options[name] !== undefined,
  );
  if (wrong !== undefined)
    throw new UsageError(
      `${flags[wrong]} does not go with --enforce`,
      "a gate writes nothing and asks nobody",
    );
}
