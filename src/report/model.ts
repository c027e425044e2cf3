import type { EpochMs, Finding, GateJudged, Revision, Usage } from "../core/facts.ts";
import type { FailureReason } from "../core/failure.ts";
import type { AttemptId, Oid, RefName, RunId, TaskId } from "../core/ids.ts";
import type { Diffstat, Landed } from "../core/landing-types.ts";
import type { AgentChoice } from "../core/plan.ts";
import type { PullRequest } from "../core/proposal.ts";
import type { AttemptCount, Landing } from "../core/run-state.ts";
import type { NeedKind } from "../core/select/needs.ts";
import type { RunStatus } from "../core/select/run-status.ts";
import type { StatusKind } from "../core/select/task-status.ts";
import type { Cost, Times } from "../core/select/totals.ts";
import type { RunWait } from "../core/select/waits.ts";
import type { Sentence } from "../core/text/sentence.ts";

/**
 * A run told to whoever was not there: plain data, from which every form of the report is made (Markdown, JSON). It is
 * bounded: texts are cut and lists are capped, and `leftOut` says where. docs/guide/json.md describes it for other
 * programs; what changes its meaning there raises the version.
 */
export const REPORT_VERSION = 1;

export type RunReport = {
  readonly v: typeof REPORT_VERSION;
  readonly run: RunId;
  readonly plan: {
    readonly name: string;
    readonly path: string;
    readonly format: string;
    readonly tasks: number;
  };
  readonly status: RunStatus;
  readonly hasEnded: boolean;
  /** Not ended, and a plait process runs it. */
  readonly isRunning: boolean;
  /** What `plait run` answers; null before the end. A signal has its own code. */
  readonly exit: 0 | 1 | 3 | null;
  /** The status in one sentence; in JSON a string. */
  readonly text: Sentence;
  readonly base: Revision;
  readonly target: RefName | null;
  /** The user's folder, in no repository, that the tasks worked in; null: they had worktrees. */
  readonly workFolder: string | null;
  readonly landing: Landing;
  /** Landings before it that are on the branch. */
  readonly landings: readonly Landed[];
  readonly landed: Diffstat | null;
  /** In the order in which they are to be merged. */
  readonly pullRequests: readonly PullRequest[];
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
  /** The moment that it tells of. */
  readonly at: EpochMs;
  readonly times: Times;
  readonly cost: Cost & { readonly budgetUsd: number | null; readonly byAgent: readonly AgentCost[] };
  readonly needsYou: readonly Need[];
  /** As in `plait status`; empty for a run that is not running. */
  readonly waits: readonly (Omit<RunWait, "reason"> & { readonly reason: string })[];
  /** In the order of the plan. */
  readonly tasks: readonly TaskReport[];
  readonly gates: readonly GateFigures[];
  /** The plan's gates on the merged result, in the order of the plan. */
  readonly checks: readonly ResultCheck[];
  /** Before anything was done. */
  readonly baseGates: readonly GateVerdict[];
  /** On the tree that was to land. */
  readonly landingGates: readonly GateVerdict[];
  readonly timeline: readonly Moment[];
  /** What stopped nothing, and somebody should know. */
  readonly remarks: readonly string[];
  readonly saved: SavedWork;
  readonly next: readonly Step[];
  /** One sentence for each cap that cut something off. */
  readonly leftOut: readonly string[];
};

export type AgentCost = { readonly agent: string; readonly usd: number };

/** What to type, and what it is for. */
export type Step = { readonly command: string; readonly purpose: string };

/** Something that only a person can move. */
export type Need = {
  readonly kind: NeedKind;
  readonly task: TaskId | null;
  readonly text: string;
  /** What helps to decide, one sentence each. */
  readonly details: readonly string[];
  /** The first is what to do. */
  readonly steps: readonly Step[];
};

export type TaskReport = {
  readonly task: TaskId;
  readonly title: string;
  readonly status: StatusKind;
  readonly needsYou: boolean;
  /** Why it is where it is; null where the status says all. */
  readonly note: string | null;
  /** Null for a command. */
  readonly agent: AgentChoice | null;
  readonly command: string | null;
  readonly commit: Oid | null;
  readonly times: TaskTimes;
  readonly usage: Usage;
  readonly attempts: readonly AttemptReport[];
  /** What the agent reported about its work, as one paragraph; null where it reported nothing. */
  readonly summary: string | null;
  /** The agent's last message, in the attempt that counts. */
  readonly message: string | null;
  /** Where it failed: the end of what the red gate, else the agent or the command, printed. */
  readonly output: string | null;
  /** What the attempt that counts changed. */
  readonly diff: Diffstat | null;
  /** Files that it wrote as its result, where its plan names such. */
  readonly reports: KeptFiles | null;
};

export type TaskTimes = {
  readonly agentMs: number;
  readonly gatesMs: number;
  /** Between its attempts, and in the queue. */
  readonly waitMs: number;
};

export type AttemptReport = {
  readonly attempt: AttemptId;
  readonly n: number;
  /** The retry or fix that it is; null for a person's. */
  readonly count: AttemptCount | null;
  /** The number of the attempt that it goes on with: a fix round. */
  readonly continues: number | null;
  readonly author: "agent" | "person";
  readonly startedAt: EpochMs;
  /** Null while it is under way. */
  readonly endedAt: EpochMs | null;
  readonly agentMs: number;
  readonly gatesMs: number;
  readonly usage: Usage;
  /** Null where its work went on, or it is under way. */
  readonly failure: { readonly reason: FailureReason; readonly text: string } | null;
  readonly gates: readonly GateVerdict[];
  readonly findings: readonly Finding[];
  readonly denials: readonly string[];
  /** Where its work is saved; null where it changed nothing. */
  readonly ref: RefName | null;
  /** Files that git ignores, which are not saved. */
  readonly ignored: number;
  /** The worktree that stays, because it holds more than may be saved or all of them are to stay. */
  readonly worktree: string | null;
  readonly artifacts: readonly Artifacts[];
  readonly files: AttemptFiles;
};

export type AttemptFiles = { readonly log: string; readonly transcript: string; readonly prompt: string };

export type GateVerdict = {
  readonly name: string;
  /** On the attempt's own tree, merged with others, before anything was done, or about to land. */
  readonly on: "work" | "merge" | "base" | "landing";
  readonly verdict: "green" | "red";
  /** `known`: it was green for the same tree before, and did not run again. */
  readonly how: GateJudged["how"] | "known";
  /** How often it ran. Green after more than one is flaky. */
  readonly runs: number;
  readonly durationMs: number;
  readonly summary: string;
};

/** A gate on the merged result; `verdict` is null where it has not run there. */
export type ResultCheck = Pick<GateVerdict, "name" | "durationMs"> & {
  readonly command: string;
  readonly verdict: GateVerdict["verdict"] | null;
};

/** All verdicts of one gate. */
export type GateFigures = {
  readonly name: string;
  readonly green: number;
  /** Attempts that it failed, as in the figures of the run. */
  readonly red: number;
  /** Green on a retry. */
  readonly flaky: number;
  readonly unaffected: number;
  /** Fails as it did before the run. */
  readonly knownRed: number;
  readonly totalMs: number;
  readonly longestMs: number;
};

/** Files that a failed attempt left and its plan wants to see. */
export type Artifacts = KeptFiles & { readonly place: "work" | "gate" };

/** Files of an attempt in the folder of the run. */
export type KeptFiles = {
  readonly folder: string;
  readonly count: number;
  readonly bytes: number;
  /** The first of them, below the folder. */
  readonly files: readonly string[];
  readonly leftOut: { readonly files: number; readonly why: readonly string[] };
};

export type Moment = { readonly at: EpochMs; readonly task: TaskId | null; readonly text: string };

/** What is there after the run, and how it goes (I8). */
export type SavedWork = {
  readonly folder: string;
  /** The branch with what is merged, where it has not landed. */
  readonly integration: string | null;
  /** With saved work that is not on the target. */
  readonly refs: readonly { readonly task: TaskId; readonly ref: RefName }[];
  /** How many more there are of attempts that changed nothing. */
  readonly unchanged: number;
  readonly worktrees: readonly string[];
  readonly steps: readonly Step[];
};
