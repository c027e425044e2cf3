import type { EpochMs, LandingRefusal, MergedAttempt, Revision } from "./facts.ts";
import type { Oid, RefName, TaskId } from "./ids.ts";
import type { TargetJoin } from "./landing-facts.ts";
import type { PullRequest, StackStep } from "./proposal.ts";
import type { MergedPhase } from "./run-state.ts";

/** What became of the result of a run: on the target, and on the server. */

export type Published =
  | { readonly kind: "no" }
  | {
      readonly kind: "published";
      readonly commit: Oid;
      readonly remote: string;
      readonly branch: string;
      readonly url: string | null;
      readonly pullRequests: readonly PullRequest[];
      /** The commit of each task there, where it is not that of the integration branch. */
      readonly commits: readonly MergedAttempt[];
      readonly notes?: readonly string[];
    }
  | { readonly kind: "refused"; readonly detail: string; readonly said?: string };

export type Landed = Extract<Landing, { kind: "landed" }>;

export type EarlierLanding = { readonly tip: Oid; readonly landing: Landed };

export type Landing =
  | { readonly kind: "none" }
  | {
      readonly kind: "built";
      readonly onto: Oid;
      readonly result: Revision;
      readonly commits?: readonly MergedAttempt[];
      /** Of pull requests, one a task; `line` is for stacks that turn out not to be independent. */
      readonly stack?: readonly StackStep[];
      readonly line?: readonly StackStep[];
      /** Gates that are red for a step below the top of its stack, by `greenKey`. */
      readonly reds?: readonly string[];
    }
  | {
      readonly kind: "landed";
      /** The integration commit that the landing was about. */
      readonly tip: Oid;
      readonly target: RefName;
      readonly from: Oid;
      readonly to: Revision;
      readonly at: EpochMs;
      readonly notes: readonly string[];
      /** The commit of each task on the target, where it is not that of the integration branch. */
      readonly commits?: readonly MergedAttempt[];
    }
  | {
      readonly kind: "refused";
      readonly why: LandingRefusal;
      readonly detail: string;
      /** Of a conflict, where they are known. */
      readonly paths?: readonly string[];
    }
  | {
      readonly kind: "undone";
      readonly target: RefName;
      readonly how: "moved-back" | "reverted";
      readonly to: Revision;
      readonly at: EpochMs;
    };

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
  readonly detail: string;
};
