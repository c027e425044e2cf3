// One thing is wanted of a run, and nothing else. Who drives it does it beside the rest; where nobody does, the run is taken over
// for just this: no agent starts, nothing lands, and it ends again.

import type { RunCommand } from "../core/decide.ts";
import type { Fact } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import type { RunView } from "../core/run-view.ts";
import { isJournalError } from "../journal/failure.ts";
import { askDriver, followRun } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse, refuseByRun } from "./host.ts";
import { resumeRun } from "./resume-run.ts";
import type { FoundRun, KnownRun } from "./runs.ts";

export type QuietRequest = {
  readonly commands: readonly RunCommand[];
  readonly isDone: (state: RunState) => boolean;
  readonly onFact?: (fact: Fact) => void;
};

/** The run as it is afterwards. That it was not done, because its driver ended or cannot do it, is seen there too. */
export async function askQuietly(
  host: Host,
  found: FoundRun,
  request: QuietRequest,
): Promise<OrRefusal<{ state: RunState }>> {
  return found.known.driver === null ? driveFor(host, found, request) : waitFor(found.known, request);
}

async function driveFor(
  host: Host,
  found: FoundRun,
  { commands, onFact }: QuietRequest,
): Promise<OrRefusal<{ state: RunState }>> {
  const quiet = { kind: "stop", mode: "drain" } as const;
  const resumed = await resumeRun(host, found, () => [quiet, ...commands]);
  if (!resumed.ok) return resumed;
  const { view, drive } = resumed.run;
  if (onFact !== undefined) view.subscribe({ fact: onFact });
  try {
    await drive();
  } catch (error) {
    if (!isJournalError(error)) throw error;
    return refuse("environment", error.failure.message, error.failure.hint);
  }
  return { ok: true, state: view.state() };
}

async function waitFor(
  known: KnownRun,
  { commands, isDone, onFact }: QuietRequest,
): Promise<OrRefusal<{ state: RunState }>> {
  for (const command of commands) {
    const answer = await askDriver(known, command);
    if (!answer.ok) return answer;
    const { asked } = answer;
    if (asked.kind === "decided" && !asked.decision.ok) return refuseByRun(known.run, asked.decision.refusal);
  }
  const followed = await followRun(known);
  await Promise.race([followed.ended, until(followed.view, isDone, onFact)]);
  followed.close();
  return { ok: true, state: followed.view.state() };
}

function until(view: RunView, isDone: QuietRequest["isDone"], onFact: QuietRequest["onFact"]): Promise<void> {
  return new Promise((resolve) => {
    view.subscribe({
      fact: (fact, after) => {
        onFact?.(fact);
        if (isDone(after)) resolve();
      },
    });
    if (isDone(view.state())) resolve();
  });
}
