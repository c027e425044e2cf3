import { killLive, type LocalRun, startRun } from "../app/index.ts";
import type { Plan } from "../core/plan.ts";
import type { Command } from "../core/text/command.ts";
import { requireAgreed } from "./agree.ts";
import { buildPolicy, printAgents, warnBudgetNotEnforced } from "./config.ts";
import { createHost, granted } from "./host.ts";
import type { ReadPlan } from "./plan-file.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { leaveOnSignals } from "./signals.ts";
import { subAgentChoice } from "./sub-agents.ts";

export type ToBegin = {
  readonly plan: Plan;
  readonly command: Command;
  /** After a signal before the run starts: the exit code, and when all output is written (default: the code of the signal). */
  readonly interrupted?: { readonly code: number; readonly settled: () => Promise<void> };
  /** False for older command lines without `--land` and `--agent`: hints must not suggest them. */
  readonly takesPlanFlags?: boolean;
  /** Warnings the user cannot act on (default: none). */
  readonly isVain?: (warning: string) => boolean;
};

/** Starts a run from a loaded plan and prints warnings first. */
export async function begin(
  request: Request,
  { texts, agents, keep, traces, each, project }: ReadPlan,
  { plan, command, interrupted, takesPlanFlags = true, isVain }: ToBegin,
): Promise<LocalRun> {
  const { options, output } = request;
  await requireAgreed(request, { plan, project, ...(takesPlanFlags ? {} : { words: null }) });
  const host = { ...createHost(request, command), agents, traces, keptCopyBytes: keep.copies };
  printAgents(plan, agents, request);
  warnBudgetNotEnforced(plan, agents, request);
  const { only = null } = options;
  const subAgents = subAgentChoice(request, { takesAgent: takesPlanFlags });
  const policy = buildPolicy(plan, request);
  const input = { plan, texts, policy, only, each, keep, subAgents, takesLand: takesPlanFlags };
  const started = await unlessInterrupted(() => startRun(host, input), output, interrupted);
  const { run, warnings, removed, dependencies } = granted(started);
  if (removed !== null && options.quiet !== true) output.say([[removed]]);
  if (dependencies !== null && takesPlanFlags && options.quiet !== true)
    output.say([[shown(dependencies, output.glyphs)]]);
  for (const warning of warnings) if (isVain?.(warning) !== true) output.warn(warning);
  return run;
}

/** A signal ends the program; errors that follow from it are not reported. */
async function unlessInterrupted<T>(
  start: () => Promise<T>,
  output: Request["output"],
  interrupted: ToBegin["interrupted"],
): Promise<T> {
  const leaving: Promise<void>[] = [];
  const stay = leaveOnSignals((code) => {
    if (leaving.length > 0) return;
    killLive();
    output.warn("interrupted before the run started");
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
