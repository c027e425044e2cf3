// A run goes on: after a stop, after a crash, or because somebody wants a task tried again or what is merged landed.

import type { RunCommand } from "../core/decide.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState } from "../core/run-state.ts";
import { entries } from "../core/sorted-map.ts";
import { type Asked, type LocalRun, type ToTake, takeRun } from "../engines/local/local-run.ts";
import { type Host, nestedRefusal, type OrRefusal, type Refused, refuse } from "./host.ts";
import type { FoundRun, KnownRun } from "./runs.ts";
import { surroundings } from "./start-run.ts";

/** Why a run that is complete does not go on; null for every other one. */
export function completeRefusal({ run, state }: KnownRun): Refused | null {
  if (state.ended?.outcome !== "complete") return null;
  return refuse(
    "request",
    `${run} is complete: there is nothing to resume`,
    `look at it: plait status ${run}`,
  );
}

/** Takes the run over and asks it these, or says why not; then nothing was changed. */
export async function resumeRun(
  host: Host,
  { repository, known }: FoundRun,
  asked: Asked,
  besides: Omit<ToTake, "asked"> = {},
): Promise<OrRefusal<{ run: LocalRun }>> {
  const nested = nestedRefusal(host);
  if (nested !== null) return { ok: false, refusal: nested };
  const { path } = known.folder;
  const around = await surroundings(host, repository, { run: known.run, path });
  const taken = await takeRun(around, path, { asked, ...besides });
  if (taken.ok) return taken;
  if (taken.why === "decided")
    return refuse("request", taken.refusal, `look at it: plait status ${known.run}`);
  if (taken.refusal.reason !== "held")
    return refuse("environment", taken.refusal.message, taken.refusal.hint);
  const { holder } = taken.refusal;
  const next = `see it: plait watch ${known.run}; or stop it first: plait stop --now ${known.run}`;
  return refuse("environment", `${known.run} is driven by process ${holder.pid} on ${holder.host}`, next);
}

/**
 * What `resume` means: go on. A run that came to its end goes on with what failed there; in one that was cut off, what had
 * failed has failed.
 */
export function retryFailed(left: RunState, now: RunState): RunCommand[] {
  return left.ended === null ? [] : retryAllFailed(left, now);
}

/** For those who say in so many words that what failed is to be tried again. */
export function retryAllFailed(_left: RunState, now: RunState): RunCommand[] {
  const commands: RunCommand[] = [];
  for (const [i, { phase }] of entries(now.tasks)) {
    if (phase.kind === "failed") commands.push({ kind: "retry", task: taskAt(now.index, i).id });
  }
  return commands;
}
