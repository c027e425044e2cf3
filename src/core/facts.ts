import type { AttemptFailure, EffectFailureCause } from "./failure.ts";
import type {
  AccountKey,
  AttemptId,
  GateKey,
  Oid,
  PreparationKey,
  RefName,
  RunId,
  TaskId,
  TextHash,
} from "./ids.ts";
import type { LandingFact, TargetMovedFact } from "./landing-types.ts";
import type { LandPolicy, LandStyle, Plan, Publish } from "./plan.ts";
import type { SandboxUsed, Walled } from "./sandbox.ts";

export type { LandingFact, LandingRefusal } from "./landing-types.ts";

/**
 * What happened, in the past tense, complete in itself. What a worker reports may come late or twice and is fenced by its
 * attempt, tree or tip; what the driver did and what a person asked is written once, by the holder of the run's lock. The journal holds these and nothing else; terminal, page, report
 * and driver all fold them with the same `evolve`. A fact is never changed after it was written: a new meaning is a new
 * version, and src/journal/upgrade.ts turns old into new.
 */
export const FACT_VERSION = 1;

/**
 * Milliseconds since 1970 by the clock of the driver that writes the fact: monotonic while that driver lives, and set forward
 * when the machine has slept.
 */
export type EpochMs = number;

export type Fact = { readonly v: typeof FACT_VERSION; readonly at: EpochMs } & FactBody;

/** `TypedFact<"run.ended">`. */
export type TypedFact<T extends FactBody["type"]> = Extract<Fact, { type: T }>;

export type FactBody =
  | RunFact
  | AttemptFact
  | WorktreeOpened
  | IntegrationFact
  | LandingFact
  | GateJudged
  | AccountFact
  | PersonFact;

/** The run as a whole. */
export type RunFact =
  | {
      readonly type: "run.started";
      readonly run: RunId;
      readonly plan: Plan;
      readonly policy: Policy;
      /** The commit that the run starts from, and its tree. */
      readonly base: Revision;
      /** The branch to land on, unless a landing names another one; null when HEAD was detached or the repository is bare. */
      readonly target: RefName | null;
      /** The user's folder, in no repository, that all attempts work in; left out where they have worktrees. */
      readonly workFolder?: string;
      /** Tasks the user chose; null is all. */
      readonly selected: readonly TaskId[] | null;
      /** By task: whose limits it shares. Commands have none. */
      readonly accounts: { readonly [task: string]: AccountKey };
      readonly driver: Driver;
      /** Where the target is; left out where there is none, and by an older plait. */
      readonly targetAt?: Oid;
      /** Hashes of what is configured of agents that the plan uses, by name; left out by an older plait. */
      readonly agents?: { readonly [name: string]: string };
      /** What stood around its programs; left out where the plan asks for nothing. */
      readonly sandbox?: SandboxUsed;
      /** Hashes of hooks, config and attribute files as they were: what differs later is not the user's. */
      readonly fingerprints: { readonly [file: string]: string };
    }
  /** A driver took the run over, after a stop or a crash. Waits are cut to their own length from here. */
  | {
      readonly type: "run.resumed";
      readonly driver: Driver;
      /** Files of `run.started.fingerprints` that changed while no process of the run lived, as they are now. */
      readonly fingerprints?: { readonly [file: string]: string };
      readonly sandbox?: SandboxUsed;
    }
  | TargetMovedFact
  /** The wall clock ran ahead of the driver's, which stood at `from`: the machine had slept until now. */
  | { readonly type: "run.slept"; readonly from: EpochMs }
  /** A step of plait's own failed (disk full, git broken), and is retried. Without a cause: anything else, or an older plait. */
  | {
      readonly type: "effect.failed";
      readonly key: string;
      readonly detail: string;
      readonly cause?: EffectFailureCause;
    }
  | { readonly type: "run.held"; readonly why: string }
  | { readonly type: "run.ended"; readonly outcome: RunOutcome };

/** One try of an agent, a command or a person at one task. */
export type AttemptFact = { readonly attempt: AttemptId } & (
  | {
      /** Durable before the process exists; the marker finds the process should the next fact be lost. */
      readonly type: "attempt.started";
      readonly base: Revision;
      readonly worktree: string;
      readonly marker: string;
      readonly author: "agent" | "person";
      /** The attempt whose conversation and worktree this one goes on with (a fix round). */
      readonly continues: AttemptId | null;
      /** The host that runs it; null is the driver's own. */
      readonly worker: string | null;
    }
  | {
      readonly type: "attempt.spawned";
      readonly pid: number;
      readonly startTime: string;
      readonly bootId: string;
    }
  /** Durable before the first git call of the save. */
  | {
      readonly type: "attempt.ended";
      readonly failure: AttemptFailure | null;
      readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
      readonly usage: Usage;
      /** Names the agent's own conversation, for a fix round or for the user. */
      readonly conversation: string | null;
      /** The last words of the agent. */
      readonly said: TextHash | null;
      /** Tools that it asked for and was refused. */
      readonly denials: readonly string[];
      readonly walled?: readonly Walled[];
    }
  /** Everything it left is reachable at `ref`. */
  | {
      readonly type: "attempt.saved";
      readonly ref: RefName;
      readonly result: Revision;
      /** Whether the tree differs from the base. */
      readonly changed: boolean;
      readonly findings: readonly Finding[];
      /** What a read-only task has to say. */
      readonly report: TextHash | null;
      /** Ignored files, which are not saved. */
      readonly ignored: number;
      /** The worktree that stays because it holds more than may be saved. */
      readonly kept: string | null;
      /** The worktree that stays because all of them are to; journals from before nobody could ask for that do not say. */
      readonly stays?: string | null;
    }
);

/** The worktree of a task that a person took over is there. */
export type WorktreeOpened = {
  readonly type: "worktree.opened";
  readonly attempt: AttemptId;
  readonly worktree: string;
  /** Files with both sides in them, to be resolved. */
  readonly conflicts: readonly string[];
};

/** The integration ref and what is on its way there. */
export type IntegrationFact =
  /** Merged in the object database on top of `from`; nothing points to it yet. */
  | {
      readonly type: "candidate.built";
      readonly from: Oid;
      readonly result: Revision;
      readonly tasks: readonly MergedAttempt[];
      /** Shared files in which additions of several tasks were kept; left out where there are none. */
      readonly shared?: readonly SharedMerge[];
    }
  /** The first of those to be merged cannot be: a conflict, or something in its diff that must not be merged. */
  | {
      readonly type: "candidate.refused";
      readonly from: Oid;
      readonly task: TaskAttempt;
      readonly failure: AttemptFailure;
    }
  /** The ref moved by compare-and-swap. */
  | {
      readonly type: "integration.advanced";
      readonly from: Oid;
      readonly to: Revision;
      readonly tasks: readonly MergedAttempt[];
    }
  /**
   * The integration branch continues from a commit of the target that has all of its work: what people committed since is part of
   * what the next attempts start from.
   */
  | { readonly type: "integration.caught-up"; readonly from: Oid; readonly to: Revision };

/**
 * Green holds for exactly this tree, command and preparation, whoever asks later. Red is only for those who asked: the
 * same tree is judged again when somebody else comes up with it.
 */
export type GateJudged = {
  readonly type: "gate.judged";
  readonly tree: Oid;
  readonly gate: GateKey;
  readonly preparation: PreparationKey;
  readonly verdict: "green" | "red";
  /**
   * `unaffected`: nothing that the gate looks at changed since the tree `reference`, where it was green.
   * `no-new-failures`: it fails as it did on the tree `reference`, which the user has accepted.
   * `remembered`: it was green for the same tree in an earlier run, prepared in the same way.
   */
  readonly how: "ran" | "unaffected" | "no-new-failures" | "remembered";
  readonly reference: Oid | null;
  readonly asked: readonly GateAsker[];
  readonly name: string;
  readonly tries: number;
  readonly durationMs: number;
  /** One line for people: "2 of 41 tests failed". */
  readonly summary: string;
  /** The end of what it printed. */
  readonly output: TextHash | null;
  /** The single checks that failed, where the gate reports them; null where it does not, or none did. */
  readonly failures: TextHash | null;
  /** The gate did not run, because the tree could not be prepared. */
  readonly isUnprepared?: true;
  /** Of a gate that was red on the base commit: what it may have missed. */
  readonly missing?: MissingFiles;
};

/** What worktrees do not have because git does not bring it along. */
export type MissingFiles = {
  /** In the checkout, such as node_modules. */
  readonly folders: readonly string[];
  /** Dependency folders in the checkout that would be copied if git ignored them. */
  readonly notIgnored: readonly string[];
  /** Not initialized in the checkout. */
  readonly submodules: readonly string[];
};

/** Limits that several tasks, and several runs, share. */
export type AccountFact =
  | {
      readonly type: "account.limited";
      readonly account: AccountKey;
      readonly until: EpochMs;
      readonly durationMs: number;
      readonly why: AccountLimitReason;
    }
  /** Somebody looked whether a limited account works again, or an attempt on it got an answer. */
  | { readonly type: "account.probed"; readonly account: AccountKey; readonly ok: boolean }
  /**
   * Waits end now: those of the tasks, and those for the accounts. Of a limited account one attempt is let through; the others
   * follow when it is answered. `record`: another run, or a person, removed what was shared about the account.
   */
  | {
      readonly type: "waits.skipped";
      readonly accounts: readonly AccountKey[];
      readonly tasks: readonly TaskId[];
      readonly because: "person" | "record";
    }
  /** Agents are logged in with another account, whose limits the tasks share from now on. */
  | { readonly type: "accounts.changed"; readonly accounts: { readonly [task: string]: AccountKey } };

/** What a person asked for, as `decide` allowed it. */
export type PersonFact =
  | { readonly type: "run.stopping"; readonly mode: StopMode; readonly signal: string | null }
  | { readonly type: "run.paused" }
  | { readonly type: "run.unpaused" }
  /** `for`: only for the landing that is asked for with it. */
  | { readonly type: "policy.changed"; readonly policy: Policy; readonly for?: "landing" }
  /** `target`: where it is to land, if that is another branch than before. */
  /** `again`: pull requests that are open get what changed since. */
  | { readonly type: "landing.asked"; readonly target?: RefName; readonly again?: true }
  /** A person wants what landed taken back. */
  | { readonly type: "undo.asked" }
  | {
      readonly type: "plan.revised";
      readonly plan: Plan;
      readonly accounts: { readonly [task: string]: AccountKey };
      /** Merged or passed tasks to be done again. */
      readonly redo: readonly TaskId[];
    }
  /** With a brief, work that is merged is sent back to its agent; every attempt gets the brief until the task is merged again. */
  | { readonly type: "task.reopened"; readonly task: TaskId; readonly brief?: Brief }
  | { readonly type: "task.cancelled"; readonly task: TaskId }
  | { readonly type: "task.held"; readonly task: TaskId; readonly why: string }
  /** A person takes the task over: its worktree is made ready for them, on top of what an attempt left. */
  | {
      readonly type: "task.opened";
      readonly task: TaskId;
      /** The one that the person's work will be; not started before they hand it in. */
      readonly attempt: AttemptId;
      readonly continues: AttemptId | null;
      readonly base: Revision;
    }
  /** This work may be merged; null lets a task that was held before it had any go on. */
  | { readonly type: "task.approved"; readonly task: TaskId; readonly attempt: AttemptId | null };

/** What a task is asked beside its prompt. */
export type Brief = {
  readonly text: TextHash;
  /** The attempt whose conversation the next one continues; null: it begins one. */
  readonly continues: AttemptId | null;
};

/** A commit and its tree. */
export type Revision = { readonly commit: Oid; readonly tree: Oid };

export type TaskAttempt = { readonly task: TaskId; readonly attempt: AttemptId };

/** With the commit that brings its work in. */
export type MergedAttempt = TaskAttempt & { readonly commit: Oid };

/** Who waits for a verdict. */
export type GateAsker =
  | { readonly kind: "base"; readonly commit: Oid }
  | { readonly kind: "attempt"; readonly attempt: AttemptId }
  | { readonly kind: "candidate"; readonly commit: Oid }
  | { readonly kind: "landing"; readonly commit: Oid };

/** The process that writes facts. */
export type Driver = {
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** It was started with `--allow-root`: who continues the run has to pass it again. */
  readonly allowRoot?: true;
};

/** Something in a diff that somebody should know; with `blocks` it keeps the work from being merged. */
export type Finding = {
  readonly kind:
    | "outside-claims"
    | "boundary"
    /** Changed without the plan's consent: see core/ownership/guarded.ts. */
    | "guarded"
    /** It cannot be told whether it is the task's own. */
    | "unsure"
    | "secret"
    | "prepared-path"
    | "planted"
    | "read-only"
    | "unresolved"
    /** The task was to create it, and there is none. */
    | "missing-file"
    /** A submodule that is at another commit, or has changes that are not committed in it. */
    | "submodule"
    | "not-saved";
  readonly path: string;
  readonly detail: string;
  readonly blocks: boolean;
};

/** What an attempt cost; null where the agent does not say. */
export type Usage = {
  readonly costUsd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** Drain lets attempts end, stop ends and saves them, kill leaves the saving to resume. */
export type StopMode = "drain" | "stop" | "kill";

export type AccountLimitReason = "rate-limit" | "usage-limit" | "overloaded" | "auth" | "billing" | "network";

/** How this run is to be driven, from flags, environment and files. */
export type Policy = {
  readonly slots: number;
  readonly failFast: boolean;
  readonly land: LandPolicy;
  readonly landStyle: LandStyle;
  readonly publish: Publish;
  readonly budgetUsd: number | null;
  /** What the last resume granted: the budget less what was spent until then. Absent where the whole budget was given at once. */
  readonly grantedUsd?: number;
  /** How many tasks one advance of the integration ref may carry. */
  readonly mergeBatch: number;
  /** How many candidates may be built on top of each other before the first has advanced. */
  readonly mergeAhead: number;
  /** Whether the run goes on when a gate is red before anybody has done anything. */
  readonly redBase: "stop" | "allow";
  /** The base check runs although its verdict is remembered; left out where it was not asked for. */
  readonly recheck?: true;
  /** Whether the worktrees of attempts stay where they are once their work is saved. */
  readonly keepWorktrees: boolean;
  /** Tasks whose sub-agent is not installed run with the plain agent; left out where nobody said so. */
  readonly withoutSubAgents?: true;
};

/** Why the run is over. Only `complete` is exit 0 (I1). */
export type RunOutcome =
  | "complete"
  | "incomplete"
  | "drained"
  | "stopped"
  | "over-budget"
  | "not-landed"
  | "held"
  /** A gate of the plan is red on the base: nothing was merged. */
  | "red-base";

/** A shared file in which the additions of several tasks were kept. */
export type SharedMerge = {
  readonly path: string;
  readonly task: TaskId;
  /** Merged before it. */
  readonly with: readonly TaskId[];
};
