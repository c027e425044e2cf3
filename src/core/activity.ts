import type { EpochMs, Usage } from "./facts.ts";
import type { AttemptId } from "./ids.ts";
import type { Sentence } from "./text/sentence.ts";

/**
 * What an attempt is doing right now. Not a fact: a signal beside the facts for those who watch, throttled, never written
 * to the journal, and forgotten with the attempt.
 */
export type Activity = {
  readonly attempt: AttemptId;
  /** When the agent last said anything. */
  readonly at: EpochMs;
  /** Its last action in a few words, a path as such: "Edit src/cart.ts". Null before the first. */
  readonly action: Sentence | null;
  /** As far as the agent has said it. */
  readonly usage: Usage;
  /** Where the attempt does nothing but wait. */
  readonly wait?: ActivityWait;
};

/** `cache`: for the first attempt with the same prompt prefix. `agent`: the agent itself retries a request. */
export type ActivityWait = {
  readonly kind: "cache" | "agent";
  readonly reason: string;
  /** Null where the agent does not say. */
  readonly until: EpochMs | null;
};
