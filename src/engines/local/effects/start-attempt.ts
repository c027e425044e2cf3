// Until the program of an attempt runs, all that fails is plait's own: git, the disk, room for a process. It is retried in the
// same attempt, at the pace that the core sets for each failing step, and costs the task nothing. A stop ends the wait.

import { NO_USAGE } from "../../../agents/adapter.ts";
import type { FactBody } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { AttemptId } from "../../../core/ids.ts";
import type { StopCause } from "../../../core/run-state.ts";
import { get } from "../../../core/sorted-map.ts";
import type { Want } from "../../../core/want.ts";
import type { EffectContext } from "../driver.ts";
import { buildEffectFailure } from "../effect-failure.ts";
import type { RunContext } from "../run-context.ts";

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

/** What the steps of one attempt share. */
export type Conduct = {
  readonly want: Extract<Want, { kind: "start" }>;
  readonly marker: string;
  readonly hands: EffectContext;
  readonly control: Control;
  /** To be called once its program runs. */
  readonly onSpawned: () => void;
};

/** An attempt under way, and how it is told to end. */
export type Control = {
  /** Null until somebody asks. */
  readonly asked: () => StopCause | null;
  /** Aborted by the first ask: ends whatever prepares. */
  readonly signal: AbortSignal;
  /** Called with each ask from now on, and at once if there was one. */
  readonly onAsk: (stop: (how: { readonly kill: boolean }) => void) => void;
};

export type EndedBody = Extract<FactBody, { type: "attempt.ended" }>;

/** Processes that could not be ended, as the end of a sentence. */
export function formatLeft(left: readonly { readonly pid: number }[]): string {
  return left.length === 0 ? "" : `; still running: ${left.map(({ pid }) => pid).join(", ")}`;
}

export function cancelled(because: StopCause): AttemptFailure {
  return { reason: "cancelled", because, detail: "stopped on request" };
}

export function endedWith(attempt: AttemptId, failure: AttemptFailure | null): EndedBody {
  const nothing = { exit: null, usage: NO_USAGE, conversation: null, said: null, denials: [] };
  return { type: "attempt.ended", attempt, failure, ...nothing };
}
