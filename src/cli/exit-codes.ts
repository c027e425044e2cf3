import { exitMeanings } from "../core/select/run-status-text.ts";

/** Exit codes of the program. `--json` has the reasons, so there are no more codes than these. */
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

/** For `plait help exit-codes`. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  [String(exitCodes.ok), `success; for a run: ${exitMeanings[exitCodes.ok]}`],
  [String(exitCodes.incomplete), exitMeanings[exitCodes.incomplete]],
  [String(exitCodes.badRequest), "invalid flags, configuration or plan"],
  [String(exitCodes.badEnvironment), exitMeanings[exitCodes.badEnvironment]],
  [String(exitCodes.bug), "bug in plait"],
  [
    `${exitCodes.hungUp}, ${exitCodes.interrupted}, ${exitCodes.terminated}`,
    "interrupted by a signal: HUP, INT, TERM",
  ],
];
