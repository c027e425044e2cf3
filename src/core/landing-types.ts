import type { EpochMs, MergedAttempt, Revision } from "./facts.ts";
import type { Oid, RefName, TaskId } from "./ids.ts";
import type { PullRequest, PushedBranch, StackStep } from "./proposal.ts";
import type { MergedPhase } from "./run-state.ts";
import type { Command } from "./text/command.ts";

/** The integration tip and a target that moved, in one commit: where they conflict, it has what the target has. */
export type TargetJoin = {
  readonly onto: Oid;
  readonly result: Revision;
  /** The time of the commit. */
  readonly at: EpochMs;
  /** Those that changed a path in conflict, last merged first. */
  readonly tasks: readonly TaskId[];
};

/** plait did not move it. Unexplained: code of agents was running, so it may have been one of them. */
export type TargetMovedFact = {
  readonly type: "target.moved";
  readonly target: RefName;
  readonly from: Oid;
  readonly to: Oid;
  readonly isExplained: boolean;
};

/** The target branch at the end of the run. `tip` is the integration commit that the landing is about. */
export type LandingFact = { readonly tip: Oid } & (
  | {
      /** Commits that land on `onto`; where their tree is a new one, because the target had moved, it is gated before. */
      readonly type: "landing.built";
      readonly onto: Oid;
      readonly result: Revision;
      /** The commit of each task, where it is not that of the integration branch; older journals do not have them. */
      readonly commits?: readonly MergedAttempt[];
      /** Where each task gets a pull request: all as one line, and as independent stacks where they can be that. */
      readonly line?: readonly StackStep[];
      readonly stacks?: readonly StackStep[];
    }
  | {
      readonly type: "run.landed";
      readonly target: RefName;
      readonly from: Oid;
      readonly to: Revision;
      /** What the user should know about it: a hook that failed, files to bring along. */
      readonly notes: readonly string[];
    }
  | ({
      readonly type: "landing.refused";
      readonly why: LandingRefusal;
      /** Of a conflict; older journals do not have them. */
      readonly paths?: readonly string[];
      /** What an agent starts from that resolves the conflict; left out where an agent cannot, and in older journals. */
      readonly join?: TargetJoin;
    } & RefusedMove)
  /** What landed was taken off the target again, by moving it back or by a commit that reverts it. */
  | {
      readonly type: "landing.undone";
      readonly target: RefName;
      readonly how: "moved-back" | "reverted";
      readonly from: Oid;
      readonly to: Revision;
      /** What the user should know about it: that a server has it still. */
      readonly notes: readonly string[];
    }
  | ({ readonly type: "undo.refused" } & RefusedMove)
  /** It is on the server: the target, or a branch that is proposed for it. */
  | {
      readonly type: "run.published";
      readonly commit: Oid;
      readonly remote: string;
      readonly branch: string;
      /** Of the pull request, the last one of several; null where it was a push. */
      readonly url: string | null;
      /** In the order in which they are to be merged; older journals have the address alone. */
      readonly pullRequests?: readonly PullRequest[];
      /** Parts of the request that were not done, each with the command that does it. */
      readonly notes?: readonly string[];
    }
  | {
      readonly type: "publishing.refused";
      /** One line; in older journals all that the server printed. */
      readonly detail: string;
      /** All that the server printed, where that is more. */
      readonly said?: string;
      /** Only a person's own push helps; left out where plait can push again. */
      readonly byHand?: PushByHand;
      /** Branches of a stack that are on the server although a later one is not; left out where there are none. */
      readonly pushed?: readonly PushedBranch[];
    }
);

/** Why the target was not moved. Older journals have all of it in `detail`, as text. */
export type RefusedMove = {
  readonly detail: string;
  /** The files it is about. */
  readonly files?: readonly string[];
  /** Where these files are in the way. */
  readonly worktree?: string;
  /** What does it by hand, each fed to the next; left out where the same request may be made again. */
  readonly commands?: readonly Command[];
};

/** What became of the result of a run: on the server, and on the target. */
export type Published =
  | { readonly kind: "no" }
  | ({
      readonly kind: "published";
      readonly pullRequests: readonly PullRequest[];
      /** The commit of each task there, where it is not that of the integration branch. */
      readonly commits: readonly MergedAttempt[];
    } & Pick<FactOfType<"run.published">, "commit" | "remote" | "branch" | "url" | "notes">)
  | ({ readonly kind: "refused" } & Pick<FactOfType<"publishing.refused">, "detail" | "said" | "byHand">);

/**
 * `behind`: the branch on the server has commits that the target lacks. `beyond`: a person has merged them, so the target has more than
 * the run landed. `rewritten`: the target no longer has the commit that landed. `other-remote`: the remote is not the one of the start.
 */
export type PushByHand = {
  readonly why: "behind" | "beyond" | "rewritten" | "other-remote";
  readonly remote: string;
  /** What the target is called there. */
  readonly branch: string;
};

type FactOfType<T> = Extract<LandingFact, { type: T }>;

export type Landed = Extract<Landing, { kind: "landed" }>;

export type EarlierLanding = { readonly tip: Oid; readonly landing: Landed };

export type Landing =
  | { readonly kind: "none" }
  | ({
      readonly kind: "built";
      /** Of pull requests, one a task; `line` is for stacks that turn out not to be independent. */
      readonly stack?: readonly StackStep[];
      /** Gates that are red for a step below the top of its stack, by `greenKey`. */
      readonly reds?: readonly string[];
    } & Pick<FactOfType<"landing.built">, "onto" | "result" | "commits" | "line">)
  | ({ readonly kind: "landed"; readonly at: EpochMs } & Omit<FactOfType<"run.landed">, "type"> &
      Pick<FactOfType<"landing.built">, "commits">)
  | ({ readonly kind: "refused" } & Pick<FactOfType<"landing.refused">, "why" | "paths" | "join"> &
      RefusedMove)
  | ({ readonly kind: "undone"; readonly at: EpochMs } & Pick<
      FactOfType<"landing.undone">,
      "target" | "how" | "to"
    >);

/** A merged task that an agent works on again, to fit the run's work to a target that moved. */
export type TargetFix = {
  readonly task: TaskId;
  /** What it returns to where that fails. */
  readonly merged: MergedPhase;
  /** The integration commit that did not land. */
  readonly tip: Oid;
  readonly join: TargetJoin;
  readonly paths: readonly string[];
  /** The refusal, for a person. */
  readonly refused: RefusedMove;
};

export type LandingRefusal =
  | "no-target"
  | "dirty"
  | "moved"
  | "conflict"
  | "gate"
  | "hook"
  /** Files that git reads are not as at the start; in older journals `hook`. */
  | "config"
  /** The target moved while agents were running, and a person has to say that it may be landed on. */
  | "unexplained"
  | "busy"
  | "sign"
  | "identity";

/** Lines that came and went; null where git counts none, as in a binary file. */
export type FileChange = {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
};

export type Diffstat = {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** The first of them. */
  readonly changes: readonly FileChange[];
};
