import type { EpochMs, Usage } from "../../core/facts.ts";

/** What Claude's end is judged by. */
export type ClaudeMemory = {
  /** Null before its first event. */
  readonly cwd: string | null;
  readonly conversation: string | null;
  /** The last thing that the agent itself said; the result has it too, when there is one. */
  readonly lastText: string;
  /** The `error` of the last assistant event, such as rate_limit: the API call before it failed; empty when it did not. */
  readonly error: string;
  readonly rejected: { readonly resetsAt: EpochMs | null } | null;
  /** How long the server asked it to wait since its last answer, with a 429. */
  readonly retryAfterMs: number | null;
  readonly result: ClaudeResult | null;
  /** The last result, if it was good and nobody did anything since: Claude may still wait for a command in the background. */
  readonly done: ClaudeResult | null;
  /** As its first event tells it. */
  readonly version: string | null;
};

/** The event that ends the stream, unless Claude died. */
export type ClaudeResult = {
  readonly subtype: string;
  readonly isError: boolean;
  readonly status: number | null;
  readonly terminalReason: string;
  readonly text: string;
  readonly errors: readonly string[];
  readonly usage: Usage;
  readonly denials: readonly string[];
  /** In the form that was asked for; left out where it has none, or one too large to keep. */
  readonly answer?: unknown;
};

export const NOTHING_READ: ClaudeMemory = {
  cwd: null,
  conversation: null,
  lastText: "",
  error: "",
  rejected: null,
  retryAfterMs: null,
  result: null,
  done: null,
  version: null,
};
