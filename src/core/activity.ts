import type { EpochMs, Usage } from "./facts.ts";
import type { AttemptId } from "./ids.ts";

/**
 * What an attempt is doing right now. Not a fact: a signal beside the facts for those who watch, throttled, never written
 * to the journal, and forgotten with the attempt.
 */
export type Activity = {
  readonly attempt: AttemptId;
  /** When the agent last said anything. */
  readonly at: EpochMs;
  /** Its last action, as one short line of plain text: "Edit src/cart.ts". Null before the first. */
  readonly action: string | null;
  /** As far as the agent has said it. */
  readonly usage: Usage;
};
