// The words of a landing: where it goes, what came of it, why not.

import type { LandingRefusal, Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import type { RefusedMove } from "../core/landing-types.ts";
import type { Start } from "./fingerprint.ts";
import type { Git, GitCall, GitOutput } from "./run.ts";

export type LandInput = Start & {
  readonly run: RunId;
  readonly runDir: string;
  /** Recorded at the start of the run; nothing else is ever moved. Null: HEAD was detached, or the repository is bare. */
  readonly target: RefName | null;
  /** The revision that lands: the integration tip, or its join with a target that had moved. */
  readonly to: Revision;
  /** How long somebody else's index.lock is waited for. */
  readonly waitMs?: number;
};

export type Landing =
  | Landed
  /** The target has commits that `to` has not: join them, gate the result, land that. */
  | { readonly kind: "moved"; readonly onto: Oid }
  | Refused;

export type Landed = {
  readonly kind: "landed";
  readonly from: Oid;
  readonly to: Revision;
  readonly notes: readonly string[];
};

/** One move of the target by the same safe steps: a landing, or the undoing of one. */
export type TargetMove = Pick<LandInput, "run" | "runDir" | "to" | "waitMs"> & {
  readonly verb: "land" | "undo";
  readonly target: RefName;
  readonly from: Oid;
};

/** The target and the user's files are as they were; the work stays on the integration branch. */
export type Refused = {
  readonly kind: "refused";
  readonly why: LandingRefusal;
} & RefusedMove;

/** A worktree of the user's, and its own git dir. */
export type UserWorktree = { readonly path: string; readonly gitDir: string };

/** git in a worktree of the user's: its config, its sparse rules; our safe options; an index that is named. */
export function callUser(
  git: Git,
  { path, gitDir }: UserWorktree,
  index: string,
  call: Omit<GitCall, "cwd" | "env">,
): Promise<GitOutput> {
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: path, GIT_INDEX_FILE: index };
  return git({ ...call, cwd: path, env, config: ["checkout.workers=1", ...(call.config ?? [])] });
}

export function refused(
  why: LandingRefusal,
  detail: string,
  more: Omit<RefusedMove, "detail"> = {},
): Refused {
  return { kind: "refused", why, detail, ...more };
}
