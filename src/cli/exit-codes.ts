/** What the program's exit code says. Reasons are in `--json`, not in more codes. */
export const exitCodes = {
  ok: 0,
  incomplete: 1,
  badRequest: 2,
  badEnvironment: 3,
  bug: 70,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For `--help`, in the order in which people meet them. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  [String(exitCodes.ok), "done: for a run, all tasks merged or passed, and landed"],
  [String(exitCodes.incomplete), "ran, but not everything merged and landed"],
  [String(exitCodes.badRequest), "wrong request: flags, configuration or plan"],
  [String(exitCodes.badEnvironment), "unusable environment, nothing was started"],
  [String(exitCodes.bug), "a bug in plait"],
  [
    `${exitCodes.hungUp}, ${exitCodes.interrupted}, ${exitCodes.terminated}`,
    "ended by a signal: HUP, INT, TERM",
  ],
];
