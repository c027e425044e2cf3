/** What one who asks may take: of time, and of places. */
export type Limits = {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long somebody may take nothing of what is sent. */
  readonly silenceMs: number;
  readonly commentMs: number;
  readonly connections: number;
};

export const LIMITS: Limits = {
  headersMs: 2_000,
  requestMs: 10_000,
  silenceMs: 45_000,
  commentMs: 15_000,
  connections: 64,
};
