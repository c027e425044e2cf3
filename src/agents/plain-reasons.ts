/** Failures that are told by a word alone, whatever program tells them. */
export const PLAIN_REASONS = [
  "overloaded",
  "auth",
  "billing",
  "budget",
  "max-turns",
  "context",
  "network",
  "agent-error",
  "agent-said-no",
  "crash",
  "denied",
] as const;
