// Until the program of an attempt runs, all that fails is plait's own: git, the disk, room for a process. It is retried in the
// same attempt, at the pace that the core sets for each failing step, and costs the task nothing. A stop ends the wait.

import type { FactBody } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import { get } from "../../../core/sorted-map.ts";
import { buildEffectFailure } from "../effect-failure.ts";
import type { RunContext } from "../run-context.ts";
import { type Conduct, cancelled, type EndedBody, endedWith } from "./conduct.ts";

type Starting = Omit<Conduct, "onSpawned">;
type ConductAttempt = (conducted: Conduct) => Promise<EndedBody>;
type EffectFailedBody = Extract<FactBody, { type: "effect.failed" }>;

export async function retryUntilSpawned(
  site: RunContext,
  starting: Starting,
  conduct: ConductAttempt,
): Promise<EndedBody> {
  const { want, control, hands } = starting;
  for (;;) {
    const result = await startOnce(site, starting, conduct);
    if (result.type === "attempt.ended") return result;
    if (control.asked() === null) {
      await hands.record(result);
      await waitForRetry(site, starting);
    }
    const failure = findEnd(starting, result.detail);
    if (failure === null) continue;
    site.pool.unreserve(want.attempt);
    return endedWith(want.attempt, failure);
  }
}

async function startOnce(
  { masker }: RunContext,
  starting: Starting,
  conduct: ConductAttempt,
): Promise<EndedBody | EffectFailedBody> {
  const { want } = starting;
  let isSpawned = false;
  const onSpawned = (): void => {
    isSpawned = true;
  };
  try {
    return await conduct({ ...starting, onSpawned });
  } catch (error) {
    const failed = buildEffectFailure(want.key, error, masker.text);
    // The agent may have done its work: it is saved, and not done again.
    return isSpawned ? endedWith(want.attempt, { reason: "environment", detail: failed.detail }) : failed;
  }
}

/** Why no retry follows: a stop was asked for, or the run is held because steps of its own keep failing. */
function findEnd({ control, hands }: Starting, detail: string): AttemptFailure | null {
  const asked = control.asked();
  if (asked !== null) return cancelled(asked);
  return hands.state().held === null ? null : { reason: "not-started", detail };
}

async function waitForRetry({ clock }: RunContext, { want, control, hands }: Starting): Promise<void> {
  const { failing, held } = hands.state();
  const until = get(failing, want.key)?.until ?? 0;
  if (held !== null || control.signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = clock.setTimer(Math.max(0, until - hands.now()), resolve);
    control.signal.addEventListener("abort", () => {
      timer.cancel();
      resolve();
    });
  });
}
