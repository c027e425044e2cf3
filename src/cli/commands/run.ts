import { begin } from "../begin.ts";
import { detach, driveHere, refuseHiddenPage } from "../drive.ts";
import { exitCodes } from "../exit-codes.ts";
import { checkPullRequestFlags } from "../land-options.ts";
import { printFindings, readPlan, withOnlyPlan } from "../plan-file.ts";
import { planName } from "../prompts.ts";
import type { RunCommand } from "../request.ts";

/** `plait run <plan>`: from a plan to a landed, proven branch. */
export const run: RunCommand = async (given) => {
  const { options, output } = given;
  refuseHiddenPage(options, "plait run … --detach");
  const request = await withOnlyPlan(given, "plait run");
  if (options.dryRun === true) return (await import("./plan.ts")).plan(request);
  const loaded = await readPlan(request, { runCommands: true, checksGates: true });
  printFindings(loaded, request);
  const { plan } = loaded;
  if (plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, findings: loaded.diagnostics });
    return exit;
  }
  checkPullRequestFlags(options, plan.publish);
  const begun = await begin(request, loaded, { plan, command: `plait run ${planName(request)}` });
  return options.detach === true ? detach(begun, request) : driveHere(begun, request);
};
