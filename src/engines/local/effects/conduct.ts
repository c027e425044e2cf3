import { NO_USAGE } from "../../../agents/adapter.ts";
import type { FactBody } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { AttemptId } from "../../../core/ids.ts";
import type { StopCause } from "../../../core/run-state.ts";
import type { Want } from "../../../core/want.ts";
import type { EffectContext } from "../driver.ts";

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

export function cancelled(because: StopCause): AttemptFailure {
  return { reason: "cancelled", because, detail: "stopped on request" };
}

export function endedWith(attempt: AttemptId, failure: AttemptFailure | null): EndedBody {
  const nothing = { exit: null, usage: NO_USAGE, conversation: null, said: null, denials: [] };
  return { type: "attempt.ended", attempt, failure, ...nothing };
}
