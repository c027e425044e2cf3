import { type LocalRun, startRun } from "../../app/index.ts";
import type { Plan } from "../../core/plan.ts";
import { tellAgents, tellUnheldBudget } from "../config.ts";
import { detach } from "../detach.ts";
import { driveHere } from "../drive.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Options } from "../flags.ts";
import { granted, hostOf } from "../host.ts";
import { type ReadPlan, readPlan, tellFindings } from "../plan-file.ts";
import { policyFor } from "../policy.ts";
import { planName } from "../prompts.ts";
import { warn } from "../render/warning.ts";
import type { Request, RunCommand } from "../request.ts";

/** `plait run <plan>`: from a plan to a landed, proven branch. */
export const run: RunCommand = async (request) => {
  const { options, output } = request;
  if (options.dryRun === true) return (await import("./plan.ts")).plan(request);
  const loaded = await readPlan(request, { runCommands: true });
  tellFindings(loaded, request);
  if (loaded.plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, findings: loaded.diagnostics });
    return exit;
  }
  const begun = await begin(request, loaded, loaded.plan);
  return options.detach === true ? detach(begun, request) : driveHere(begun, request);
};

async function begin(
  request: Request,
  { texts, agents, keep, each }: ReadPlan,
  plan: Plan,
): Promise<LocalRun> {
  const { options, output } = request;
  const host = { ...hostOf(request, `plait run ${planName(request)}`), agents };
  tellAgents(plan, agents, request);
  tellUnheldBudget(plan, agents, request);
  const input = { plan, texts, policy: policyFor(plan, options), only: selected(each, options), keep };
  const { run, warnings, removed } = granted(await startRun(host, input));
  if (removed !== null && options.quiet !== true) output.say([[removed]]);
  for (const warning of warnings) output.say(warn(warning, output));
  return run;
}

/** A task that stands for many is all that were made of it. */
function selected(each: ReadPlan["each"], { only }: Options): string[] | null {
  if (only === undefined) return null;
  return only.flatMap((name) => each.find(({ id }) => id === name)?.tasks ?? [name]);
}
