// Failures of the machine and not of plait: git fails, the disk is full, no process can be started.

import type { EffectFailureCause } from "../core/failure.ts";
import { otherCommand } from "../core/text/command.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import { GitError } from "../git/index.ts";
import { isJournalError } from "../journal/failure.ts";
import { FREE_SPACE, findSystemHint, MAKE_WRITABLE, RAISE_LIMITS } from "./system-problem.ts";

export type EnvironmentProblem = { readonly message: string; readonly hint: Sentence };

/** The problem and what to do about it; null for every other error, which is a bug. */
export function describeEnvironmentProblem(error: unknown): EnvironmentProblem | null {
  if (!(error instanceof Error)) return null;
  const cause = isJournalError(error) && error.code === "io" ? error.cause : error;
  const hint = error instanceof GitError ? GIT_HINTS[error.code] : findSystemHint(cause);
  return hint === null ? null : { message: error.message, hint };
}

const CHECK_GIT = fix("fix git, then run the command again; to test git", otherCommand("git", "status"));

/** What to do about a step of a run that kept failing. */
export const hintForCause = (cause: EffectFailureCause | undefined): Sentence =>
  cause === undefined ? RUN_AGAIN : CAUSE_HINTS[cause];

const RUN_AGAIN = "fix that, then run the command again";

const CAUSE_HINTS: { readonly [C in EffectFailureCause]: Sentence } = {
  git: CHECK_GIT,
  busy: "run the command again when other programs have ended",
  "no-space": FREE_SPACE,
  moved: "move the branch back, then run the command again",
};

const GIT_HINTS: { readonly [R in GitError["code"]]: Sentence } = {
  "no-git": "install git 2.38 or newer: https://git-scm.com/downloads",
  "old-git": "upgrade git to 2.38 or newer: https://git-scm.com/downloads",
  "not-a-repository": CHECK_GIT,
  "lock-contention": "run the command again when the other git process has ended",
  "not-found": CHECK_GIT,
  conflict: CHECK_GIT,
  corrupt: fix("check the repository for damage", otherCommand("git", "fsck")),
  "no-space": FREE_SPACE,
  busy: RAISE_LIMITS,
  "read-only": MAKE_WRITABLE,
  other: CHECK_GIT,
};
