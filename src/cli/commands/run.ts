import { plait } from "../../core/text/command.ts";
import { begin } from "../begin.ts";
import { detach, driveHere, refuseHiddenPage } from "../drive.ts";
import { exitCodes } from "../exit-codes.ts";
import { pickGiven } from "../flag.ts";
import { checkPullRequestFlags } from "../land-options.ts";
import { buildOverrides, printFindings, readPlan, withOnlyPlan } from "../plan-file.ts";
import { listTypedWords } from "../prompts.ts";
import type { RunCommand } from "../request.ts";

/** `plait run <plan>`: from a plan to a landed, proven branch. */
export const run: RunCommand = async (given) => {
  const { options, output } = given;
  refuseHiddenPage(options, plait("run", { placeholder: "plan" }, { detach: true }));
  const request = await withOnlyPlan(given, plait("run"));
  if (options.dryRun === true) return (await import("./plan.ts")).plan(request);
  const loaded = await readPlan(request, { runCommands: true, checksGates: true });
  printFindings(loaded, request);
  if (loaded.plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, findings: loaded.diagnostics });
    return exit;
  }
  const { source } = loaded.plan;
  const typed = pickGiven({ words: listTypedWords(request) });
  const plan = { ...loaded.plan, source: { ...source, flags: buildOverrides(options), ...typed } };
  checkPullRequestFlags(options, plan.publish);
  const begun = await begin(request, loaded, { plan, command: plait("run", request.args[0] ?? "-p") });
  return options.detach === true ? detach(begun, request) : driveHere(begun, request);
};
