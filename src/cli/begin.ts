import { killLive, type LocalRun, startRun } from "../app/index.ts";
import type { Plan } from "../core/plan.ts";
import { tellAgents, tellUnheldBudget } from "./config.ts";
import type { Options } from "./flags.ts";
import { granted, hostOf } from "./host.ts";
import type { ReadPlan } from "./plan-file.ts";
import { policyFor } from "./policy.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";
import { leaveOnSignals } from "./signals.ts";
import { subAgentChoice } from "./sub-agents.ts";

export type ToBegin = {
  readonly plan: Plan;
  readonly command: string;
  /** After a signal that comes before the run has begun: the exit code, and when all is printed. That of the signal if left out. */
  readonly interrupted?: { readonly code: number; readonly settled: () => Promise<void> };
  /** Some command lines have neither `--land` nor `--agent`, so nobody is advised to use them. */
  readonly takesPlanFlags?: boolean;
  /** Warnings that its user can do nothing about; none if left out. */
  readonly isVain?: (warning: string) => boolean;
};

/** From a plan that was read to a run that has begun, and what the user should know before it goes on. */
export async function begin(
  request: Request,
  { texts, agents, keep, traces, each }: ReadPlan,
  { plan, command, interrupted, takesPlanFlags = true, isVain }: ToBegin,
): Promise<LocalRun> {
  const { options, output } = request;
  const host = { ...hostOf(request, command), agents, traces };
  tellAgents(plan, agents, request);
  tellUnheldBudget(plan, agents, request);
  const only = selected(each, options);
  const subAgents = subAgentChoice(request, { words: process.argv.slice(2), takesAgent: takesPlanFlags });
  const policy = policyFor(plan, request);
  const input = { plan, texts, policy, only, keep, subAgents, takesLand: takesPlanFlags };
  const started = await unlessInterrupted(() => startRun(host, input), { output, interrupted });
  const { run, warnings, removed } = granted(started);
  if (removed !== null && options.quiet !== true) output.say([[removed]]);
  for (const warning of warnings) if (isVain?.(warning) !== true) output.say(warn(warning, output));
  return run;
}

/** A signal ends the program; whatever that breaks off is not told as a failure of its own. */
async function unlessInterrupted<T>(
  start: () => Promise<T>,
  { output, interrupted }: { output: Request["output"]; interrupted: ToBegin["interrupted"] | undefined },
): Promise<T> {
  const leaving: Promise<void>[] = [];
  const stay = leaveOnSignals((code) => {
    if (leaving.length > 0) return;
    killLive();
    output.say(warn("ended before the run had begun; nothing was started", output));
    if (interrupted === undefined) process.exit(code);
    leaving.push(interrupted.settled().finally(() => process.exit(interrupted.code)));
  });
  try {
    return await start();
  } finally {
    stay();
    await Promise.all(leaving);
  }
}

/** A task that stands for many is all that were made of it. */
function selected(each: ReadPlan["each"], { only }: Options): string[] | null {
  if (only === undefined) return null;
  return only.flatMap((name) => each.find(({ id }) => id === name)?.tasks ?? [name]);
}
