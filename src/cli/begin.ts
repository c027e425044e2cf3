import { type LocalRun, startRun } from "../app/index.ts";
import type { Plan } from "../core/plan.ts";
import { tellAgents, tellUnheldBudget } from "./config.ts";
import type { Options } from "./flags.ts";
import { granted, hostOf } from "./host.ts";
import type { ReadPlan } from "./plan-file.ts";
import { policyFor } from "./policy.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";

/** From a plan that was read to a run that has begun, and what the user should know before it goes on. */
export async function begin(
  request: Request,
  { texts, agents, keep, each }: ReadPlan,
  { plan, command }: { readonly plan: Plan; readonly command: string },
): Promise<LocalRun> {
  const { options, output } = request;
  const host = { ...hostOf(request, command), agents };
  tellAgents(plan, agents, request);
  tellUnheldBudget(plan, agents, request);
  const input = { plan, texts, policy: policyFor(plan, request), only: selected(each, options), keep };
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
