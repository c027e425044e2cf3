import type {
  AccountLimitReason,
  EpochMs,
  GateJudged,
  MergedAttempt,
  Policy,
  Revision,
  RunOutcome,
  SharedMerge,
  StopMode,
  TypedFact,
} from "./facts.ts";
import type { AttemptFailure, EffectFailureCause, FailureReason } from "./failure.ts";
import type { AttemptId, Oid, RefName, RunId, TaskId, TextHash } from "./ids.ts";
import type { EarlierLanding, Landing, Published, TargetFix } from "./landing-types.ts";
import type { Check, RunIndex } from "./run-index.ts";
import type { SandboxUsed } from "./sandbox.ts";
import type { SortedMap } from "./sorted-map.ts";

export type { EarlierLanding, Landing, Published, TargetFix } from "./landing-types.ts";

/**
 * A run at one moment: the fold of its facts. Plain data with shared structure, so older states stay valid.
 * Only `evolve` makes a new one; everything people see is selected from here.
 */
export type RunState = {
  readonly run: RunId;
  readonly index: RunIndex;
  readonly policy: Policy;
  readonly startedAt: EpochMs;
  /** Time between two drivers, and while the machine slept, in which nothing could happen. */
  readonly undrivenMs: number;
  /** The latest time seen. Time never runs backwards inside a state; a resume sets it anew. */
  readonly clock: EpochMs;
  readonly base: Revision;
  readonly target: RefName | null;
  /** Where the target was seen last, and when the run started; null: not recorded. */
  readonly targetAt: Oid | null;
  readonly targetAtStart: Oid | null;
  /** Moves of the target that nobody has accepted: the landing is refused until a person asks for it. */
  readonly unexplained: TargetMoves | null;
  /** How and where the run lands unless a landing says otherwise, which holds until that landing is undone. */
  readonly landingDefaults: Pick<RunState, "target"> & Pick<Policy, "publish" | "landStyle">;
  /** The user's folder, in no repository, that all attempts work in: nothing of theirs is saved. Null: they have worktrees. */
  readonly workFolder: string | null;
  /** `--allow-root` was passed once, so who continues the run passes it too; see `forRun`. */
  readonly allowRoot: boolean;
  /** What stands around programs of the run, where the plan asks for walls. */
  readonly sandbox?: SandboxUsed;
  readonly selected: ReadonlySet<TaskId> | null;
  /** Tasks that left the plan after they had begun: kept until their work is saved, and for the report. */
  readonly gone: ReadonlySet<TaskId>;
  /** Where the integration ref is. */
  readonly tip: Revision;
  readonly tasks: SortedMap<number, TaskState>;
  /** Built on `tip` and then on each other, first to advance first. */
  readonly candidates: readonly Candidate[];
  /** The end of the chain where the next in the queue did not merge; nothing is built there before it is the tip. */
  readonly stalledAt: Oid | null;
  /** How many tasks the next candidate may carry; halved by a red batch, doubled by an advance. */
  readonly batch: number;
  /** Verdicts that hold: tree, preparation and command of each green one. Red ones are never remembered. */
  readonly greens: SortedMap<string, true>;
  /** By check: the plan's gates that were red on the base. */
  readonly redOnBase: SortedMap<
    string,
    Pick<GateJudged, "name" | "summary" | "output" | "failures" | "isUnprepared" | "missing">
  >;
  /** By check: those that were red on the base before the last resume. */
  readonly redBefore: SortedMap<string, true>;
  /** By name: how often a gate was green only when it was tried again. */
  readonly flaky: SortedMap<string, number>;
  /** Shared files of merges that advanced. */
  readonly shared?: readonly SharedMerge[];
  /** An agent was started. */
  readonly begun: boolean;
  readonly accounts: SortedMap<string, AccountLimit>;
  /** Effects that could not be done, by key of the want, and when they are wanted again. */
  readonly failing: SortedMap<string, FailingEffect>;
  readonly spentUsd: number;
  readonly paused: boolean;
  readonly stopping: StopMode | null;
  /** The signal that asked for the stop; null where a person did, or nothing stops. */
  readonly stopSignal: string | null;
  /** It stops because a task failed, not because somebody asked. */
  readonly failedFast: boolean;
  /** A person wants what is merged to land now: nothing starts any more. */
  readonly landingAsked: boolean;
  /** A person wants what landed taken back. */
  readonly undoAsked: boolean;
  readonly held: string | null;
  /** The step of plait's own that the run is held for: the key of its want. Missing where the journal does not name it. */
  readonly heldStep?: string;
  readonly landing: Landing;
  /** A target that moved conflicts, and an agent resolves it; null: nothing of the kind. */
  readonly targetFix: TargetFix | null;
  /** Landings of earlier tips that are still on the target, oldest first: what was merged since may land on top of them. */
  readonly landings: readonly EarlierLanding[];
  /** Tips that landed and were taken back by a commit: they are in the history of the target, and their work is not. */
  readonly reverted: readonly Oid[];
  /** Whether it is on the server, where that was asked for. */
  readonly published: Published;
  /** Branches of plait's own on the server, by name, with the commit that was pushed last. */
  readonly pushed: ReadonlyMap<string, Oid>;
  /** The last tip that landed: what is merged up to here is on the target, whatever came of the run since. */
  readonly landedTip: Oid | null;
  readonly ended: { readonly at: EpochMs; readonly outcome: RunOutcome } | null;
  readonly indices: Indices;
};

export type TargetMoves = { readonly from: Oid; readonly to: Oid };

/**
 * Everything here could be derived from the rest; it is kept so that `wants` costs what changed plus the slots.
 * run-tasks.ts alone writes it, and a property test proves it equal to the naive derivation.
 */
export type Indices = {
  /** By lane: startable tasks, by their place in the starting order. */
  readonly ready: SortedMap<number, SortedMap<number, number>>;
  /** By end of the wait: tasks in back-off or parked whose time has not come. */
  readonly waits: SortedMap<EpochMs, SortedMap<number, true>>;
  /** Queued tasks in the order they were queued. */
  readonly queue: SortedMap<number, number>;
  /** Tasks with live attempts. */
  readonly live: SortedMap<number, true>;
  /** Tasks whose worktree is to be made ready for a person. */
  readonly opening: SortedMap<number, true>;
  readonly liveAttempts: number;
  readonly groupUse: SortedMap<string, number>;
  readonly phases: PhaseCounts;
  /** Selected tasks that are merged or passed. */
  readonly done: number;
  /** The next number of the queue. */
  readonly nextTurn: number;
};

export type PhaseCounts = { readonly [P in TaskPhase["kind"]]: number };

/**
 *  waiting ──► active ──► queued ──► merged
 *     ▲          │ │         │
 *     │          │ └─► passed (read-only, or allowed to be empty)
 *     │          ▼           ▼
 *     ├──── backoff · parked ─────► active
 *     │          └────────────────► failed
 *     ├──── held ──► queued, when a person approves proven work
 *  skipped (a need failed or was cancelled; back to waiting when it is reopened) · cancelled
 *
 * "Ready" is derived: waiting with all needs merged or passed, or a wait that is over.
 * Live attempts stand beside the phase, not in it: a cancelled or queued task may still have processes to end.
 */
export type TaskPhase =
  | { readonly kind: "waiting" }
  | { readonly kind: "active" }
  | {
      readonly kind: "queued";
      readonly attempt: AttemptId;
      readonly result: Revision;
      readonly turn: number;
      readonly since: EpochMs;
      /** That of the run at that time. */
      readonly undrivenBefore: number;
    }
  | {
      readonly kind: "backoff";
      readonly until: EpochMs;
      readonly durationMs: number;
      readonly failure: AttemptFailure;
    }
  | {
      readonly kind: "parked";
      readonly until: EpochMs;
      readonly durationMs: number;
      readonly why: AccountLimitReason;
    }
  | { readonly kind: "held"; readonly why: string; readonly proven: Proven | null }
  | {
      readonly kind: "merged";
      readonly attempt: AttemptId;
      readonly commit: Oid;
      readonly at: EpochMs;
      /** That of the run at that time. */
      readonly undrivenBefore: number;
      /** Whether every gate of the task was green for exactly the merged tree (I1). */
      readonly proven: boolean;
    }
  | {
      readonly kind: "passed";
      readonly attempt: AttemptId;
      readonly tree: Oid;
      readonly report: TextHash | null;
      readonly at: EpochMs;
    }
  | { readonly kind: "failed"; readonly failure: AttemptFailure; readonly at: EpochMs }
  | { readonly kind: "skipped"; readonly because: TaskId | null }
  | { readonly kind: "cancelled" };

export type MergedPhase = Extract<TaskPhase, { kind: "merged" }>;

/** Work that only waits for a person's word before it is queued. */
export type Proven = { readonly attempt: AttemptId; readonly result: Revision };

export type TaskState = {
  readonly phase: TaskPhase;
  /** Needs that are neither merged nor passed. */
  readonly unmet: number;
  /** Attempts ever started; the next one has this number plus one. */
  readonly started: number;
  /** Attempts up to this number were made for words that the plan no longer has. */
  readonly stale: number;
  /** Attempts started since the task last became ready; `race` of them may be. */
  readonly volley: number;
  readonly live: readonly LiveAttempt[];
  readonly past: readonly PastAttempt[];
  /** The attempt that the next one continues, and why. */
  readonly fix: FixAsked | null;
  /** What the task is asked beside its prompt until it is merged or passed. */
  readonly brief: TextHash | null;
  /** A person has it: nothing of its worktree may go before they hand it in or give it up. */
  readonly open: OpenTask | null;
  readonly used: Allowance;
};

/** `because` is null where the attempt's work is merged: only its conversation is continued, with the task's brief. */
export type FixAsked = { readonly attempt: AttemptId; readonly because: AttemptFailure | null };

export type OpenTask = {
  /** The one that the person's work will be. */
  readonly attempt: AttemptId;
  /** The attempt that they go on with, and what was wrong with it; null where they begin. */
  readonly after: FixAsked | null;
  readonly base: Revision;
  /** Null until it is there. */
  readonly worktree: string | null;
  readonly conflicts: readonly string[];
};

/** What a task has used up of its chances. A retry that a person asks for starts at zero again. */
export type Allowance = {
  readonly retries: number;
  /** Tries in a row for one reason that cost no retry. */
  readonly free: { readonly reason: FailureReason; readonly times: number } | null;
  readonly fixRounds: number;
  readonly orphans: number;
};

export const NOTHING_USED: Allowance = { retries: 0, free: null, fixRounds: 0, orphans: 0 };

export function freshTask(): TaskState {
  const nothing = { live: [], past: [], fix: null, brief: null, open: null, used: NOTHING_USED } as const;
  return { phase: { kind: "waiting" }, unmet: 0, started: 0, stale: 0, volley: 0, ...nothing };
}

/** Why a live attempt is to be ended. */
export type StopCause = Extract<AttemptFailure, { reason: "cancelled" }>["because"];

/**
 * What an attempt counts against. `first` is also one that starts again after an interruption or a pause: it uses up nothing. A retry
 * starts afresh, a fix continues another attempt.
 */
export type AttemptCount =
  | { readonly kind: "first" }
  | { readonly kind: "retry" | "fix"; readonly n: number; readonly of: number };

export type LiveAttempt = {
  readonly id: AttemptId;
  readonly base: Revision;
  readonly worktree: string;
  /** In the environment of its processes, and of those they start. */
  readonly marker: string;
  /** The host that runs it; null is the driver's own. */
  readonly worker: string | null;
  /** `agent` is whatever the task's work is, a command too. */
  readonly author: "agent" | "person";
  readonly continues: AttemptId | null;
  /** Null for a person's. */
  readonly count: AttemptCount | null;
  readonly startedAt: EpochMs;
  /** That of the run when it started. */
  readonly undrivenBefore: number;
  /** How much of the time since its start nobody could work: see attempt-times.ts. */
  readonly undrivenMs: number;
  readonly stop: StopCause | null;
  readonly stage: Stage;
};

/** prepare → run → save → gate. A fix round is an attempt of its own that continues another. */
export type Stage =
  | { readonly kind: "prepare" }
  | { readonly kind: "run"; readonly since: EpochMs; readonly process: ProcessId }
  | { readonly kind: "save"; readonly ended: Ended }
  | {
      readonly kind: "gate";
      readonly ended: Ended;
      readonly saved: Saved;
      /** Checks without a green verdict for this tree. */
      readonly missing: readonly Check[];
    };

/** A pid alone may be somebody else's by now. */
export type ProcessId = { readonly pid: number; readonly startTime: string; readonly bootId: string };

export type Ended = Omit<TypedFact<"attempt.ended">, "v" | "type" | "attempt"> & {
  /** How much of the time from the start of the attempt to this nobody could work. */
  readonly undrivenMs: number;
};

export type Saved = Omit<TypedFact<"attempt.saved">, "v" | "type" | "attempt" | "stays"> & {
  readonly stays: string | null;
};

/** An attempt that is over: for the report, the timeline and the estimates. `undrivenMs` is until `settledAt`. */
export type PastAttempt = Omit<LiveAttempt, "worktree" | "marker" | "worker" | "stop" | "stage"> & {
  readonly ended: Ended;
  readonly saved: Saved;
  /** When its own gates were done with it. */
  readonly settledAt: EpochMs;
  /** Null when its work went on to the queue or passed. */
  readonly failure: AttemptFailure | null;
  /** Its work is on the integration branch, also where the task was sent back since. */
  readonly isMerged: boolean;
};

export type Candidate = {
  readonly at: EpochMs;
  /** That of the run at that time. */
  readonly undrivenBefore: number;
  readonly from: Oid;
  readonly result: Revision;
  readonly tasks: readonly MergedAttempt[];
  readonly missing: readonly Check[];
  /** A red gate, while what lies below has not advanced: it may be the cause. */
  readonly red: AttemptFailure | null;
  readonly shared?: readonly SharedMerge[];
};

export type AccountLimit = {
  readonly since: EpochMs;
  readonly until: EpochMs;
  readonly durationMs: number;
  readonly why: AccountLimitReason;
  /** Must be seen to work again before the next start. */
  readonly probe: boolean;
  /** How often in a row it was limited; the waits double. */
  readonly times: number;
  /** The one attempt that is let through to see whether the limit is over: `due`, or which one. */
  readonly trial?: "due" | AttemptId;
};

/** A step of plait's own that failed: when it last did, when it is retried, how often it has failed and may fail. */
export type FailingEffect = {
  readonly at: EpochMs;
  readonly until: EpochMs;
  readonly times: number;
  readonly limit: number;
  readonly detail: string;
  readonly cause: EffectFailureCause | null;
  /** No retry follows while the run is held. */
  readonly isGivenUp: boolean;
};

/** A run with no slot, or that may build no candidate, would wait for ever without a word. */
export function usablePolicy(policy: Policy): Policy {
  return {
    ...policy,
    slots: Math.max(1, policy.slots),
    mergeBatch: Math.max(1, policy.mergeBatch),
    mergeAhead: Math.max(1, policy.mergeAhead),
    keepWorktrees: policy.keepWorktrees === true, // journals from before it was asked do not say
  };
}
