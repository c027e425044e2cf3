/** Fields of facts that no simulated run has anything to say in. */
export const DRIVER = { version: "0.0.0", host: "simulated", pid: 1 } as const;
export const ENDED_BLANKS = { exit: null, said: null, denials: [] } as const;
export const SAVED_BLANKS = { findings: [], report: null, ignored: 0, kept: null } as const;
export const JUDGED_BLANKS = {
  how: "ran",
  reference: null,
  output: null,
  failures: null,
  durationMs: 1,
} as const;
