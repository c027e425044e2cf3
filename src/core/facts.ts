import type { AttemptFailure } from "./failure.ts";
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
import type { LandPolicy, Plan } from "./plan.ts";

/**
 * What happened, in the past tense, complete in itself. The journal holds these and nothing else; terminal, page, report
 * and driver all fold them with the same `evolve`. A fact is never changed after it was written: a new meaning is a new
 * version, and src/journal/upgrade.ts turns old into new.
 */
export const FACT_VERSION = 1;

/** Milliseconds since 1970 by the clock of the driver that writes the fact, which is monotonic while that driver lives. */
export type EpochMs = number;

export type Fact = { readonly v: typeof FACT_VERSION; readonly at: EpochMs } & FactBody;

export type FactBody =
  | RunFact
  | AttemptFact
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
      /** The branch to land on, recorded once; null when HEAD was detached or the repository is bare. */
      readonly target: RefName | null;
      /** Tasks the user chose; null is all. */
      readonly selected: readonly TaskId[] | null;
      /** By task: whose limits it shares. Commands have none. */
      readonly accounts: { readonly [task: string]: AccountKey };
    }
  /** A driver took the run over, after a stop or a crash. Waits are cut to their own length from here. */
  | { readonly type: "run.resumed" }
  | { readonly type: "run.held"; readonly why: string }
  | { readonly type: "run.ended"; readonly outcome: RunOutcome };

/** One try of an agent, a command or a person at one task. */
export type AttemptFact =
  /** Durable before the process exists; the marker finds the process should the next fact be lost. */
  | {
      readonly type: "attempt.started";
      readonly attempt: AttemptId;
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
      readonly attempt: AttemptId;
      readonly pid: number;
      readonly startTime: string;
      readonly bootId: string;
    }
  /** Durable before the first git call of the save. */
  | {
      readonly type: "attempt.ended";
      readonly attempt: AttemptId;
      readonly failure: AttemptFailure | null;
      readonly usage: Usage;
      /** Names the agent's own conversation, for a fix round or for the user. */
      readonly conversation: string | null;
    }
  /** Everything it left is reachable at `ref`. */
  | {
      readonly type: "attempt.saved";
      readonly attempt: AttemptId;
      readonly ref: RefName;
      readonly result: Revision;
      /** Whether the tree differs from the base. */
      readonly changed: boolean;
      /** Changes that the task's claims or the plan's policy forbid; empty when all is well or only reported. */
      readonly refused: readonly string[];
      /** What a read-only task has to say. */
      readonly report: TextHash | null;
    };

/** The integration ref and what is on its way there. */
export type IntegrationFact =
  /** Merged in the object database on top of `from`; nothing points to it yet. */
  | {
      readonly type: "candidate.built";
      readonly from: Oid;
      readonly result: Revision;
      readonly tasks: readonly TaskAttempt[];
    }
  | {
      readonly type: "candidate.conflicted";
      readonly from: Oid;
      readonly task: TaskAttempt;
      readonly with: readonly TaskId[];
      readonly paths: readonly string[];
    }
  /** The ref moved by compare-and-swap. */
  | {
      readonly type: "integration.advanced";
      readonly from: Oid;
      readonly to: Revision;
      readonly tasks: readonly TaskAttempt[];
    };

/** The target branch at the end of the run. */
export type LandingFact =
  /** The target had moved: a new tree that joins both, to be gated before it lands. */
  | { readonly type: "landing.built"; readonly onto: Oid; readonly result: Revision }
  | {
      readonly type: "run.landed";
      readonly target: RefName;
      readonly from: Oid;
      readonly to: Revision;
    }
  | { readonly type: "landing.refused"; readonly why: LandingRefusal; readonly detail: string };

/** Holds for exactly this tree, command and preparation, whatever task asked. */
export type GateJudged = {
  readonly type: "gate.judged";
  readonly tree: Oid;
  readonly gate: GateKey;
  readonly preparation: PreparationKey;
  readonly verdict: "green" | "red";
  /** `unaffected`: nothing that the gate looks at changed since a tree where it was green. */
  readonly how: "ran" | "unaffected";
  readonly name: string;
  readonly tries: number;
  readonly durationMs: number;
  /** One line for people: "2 of 41 tests failed". */
  readonly summary: string;
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
  | { readonly type: "account.freed"; readonly account: AccountKey };

/** What a person asked for, as `decide` allowed it. */
export type PersonFact =
  | { readonly type: "run.stopping"; readonly mode: StopMode }
  | { readonly type: "run.paused" }
  | { readonly type: "run.unpaused" }
  | { readonly type: "run.resized"; readonly slots: number }
  | { readonly type: "landing.asked" }
  | {
      readonly type: "plan.revised";
      readonly plan: Plan;
      readonly accounts: { readonly [task: string]: AccountKey };
      /** Merged or passed tasks to be done again. */
      readonly redo: readonly TaskId[];
    }
  | { readonly type: "task.reopened"; readonly task: TaskId }
  | { readonly type: "task.cancelled"; readonly task: TaskId }
  | { readonly type: "task.held"; readonly task: TaskId; readonly why: string }
  | { readonly type: "task.approved"; readonly task: TaskId };

/** A commit and its tree. */
export type Revision = { readonly commit: Oid; readonly tree: Oid };

export type TaskAttempt = { readonly task: TaskId; readonly attempt: AttemptId };

/** What an attempt cost; null where the agent does not say. */
export type Usage = {
  readonly costUsd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** Drain lets attempts end, stop ends and saves them, kill leaves the saving to resume. */
export type StopMode = "drain" | "stop" | "kill";

export type AccountLimitReason = "rate-limit" | "usage-limit" | "overloaded" | "auth" | "billing" | "network";

export type LandingRefusal = "no-target" | "dirty" | "moved" | "conflict" | "gate" | "hook" | "busy";

/** How this run is to be driven, from flags, environment and files. */
export type Policy = {
  readonly slots: number;
  readonly failFast: boolean;
  readonly land: LandPolicy;
  readonly budgetUsd: number | null;
  /** How many tasks one advance of the integration ref may carry. */
  readonly mergeBatch: number;
  /** How many candidates may be built on top of each other before the first has advanced. */
  readonly mergeAhead: number;
};

/** Why the run is over. Only `complete` is exit 0 (I1). */
export type RunOutcome =
  | "complete"
  | "incomplete"
  | "drained"
  | "stopped"
  | "over-budget"
  | "not-landed"
  | "held";
