import type { Agents } from "../../agents/registry.ts";
import type { Activity } from "../../core/activity.ts";
import {
  type AttemptId,
  type Oid,
  type RunId,
  splitAttemptId,
  type TaskId,
  type TextHash,
} from "../../core/ids.ts";
import type { Env, Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { FixAsked, LiveAttempt, PastAttempt, RunState, TaskState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";
import {
  agentGitEnvironment,
  type CheckoutGuard,
  type Fingerprint,
  type Lease,
  type Pool,
  type Shadow,
} from "../../git/index.ts";
import { uniqueMarker } from "../../process/markers.ts";
import type { Masker } from "../../process/mask/masker.ts";
import type { Lifeline } from "../../process/supervise.ts";
import type { Clock } from "../../util/clock.ts";
import type { CacheWarmup } from "./cache-warmup.ts";
import type { Copies } from "./copies.ts";
import type { MissingFinder, ProposalBuilder } from "./local-run.ts";
import type { PreparedFolders } from "./prepared/prepared-folders.ts";
import type { SetUps } from "./prepared/set-ups.ts";
import type { AgentVersions } from "./probe-agent.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunSandbox } from "./sandbox/run-sandbox.ts";
import type { SealedValues } from "./sealed-values.ts";
import type { SlotLeases } from "./slot-leases.ts";
import type { TargetWatch } from "./target-watch.ts";

/** Where a run takes place: all that its effects share. */
export type RunContext = {
  readonly run: RunId;
  readonly folder: RunFolder;
  /** The user's own folder, where all attempts work; null: each has a worktree. */
  readonly workFolder: string | null;
  readonly shadow: Shadow;
  /** Of the commit that the run started from. */
  readonly baseTree: Oid;
  readonly pool: Pool;
  readonly agents: Agents;
  readonly versions: AgentVersions;
  readonly warmup: CacheWarmup;
  /** What each leased worktree has for itself. */
  readonly slots: SlotLeases;
  readonly lifeline: Lifeline;
  /** What worktrees get from the user's checkout. */
  readonly copies: Copies;
  /** The folders among them, in use or kept for the next worktree. */
  readonly prepared: PreparedFolders;
  /** What set-ups have installed, for trees with the same lock files. */
  readonly setUps: SetUps;
  /** What stands around programs that work in worktrees. */
  readonly sandbox: RunSandbox;
  readonly masker: Masker;
  /** What agents, commands and gates inherit. */
  readonly env: Env;
  /** Beside them, for the program of one attempt. */
  readonly attemptEnv: (attempt: AttemptId) => Env;
  /** What a pull request says about the run that it is made of. */
  readonly proposal: ProposalBuilder;
  /** What a gate that is red on the base commit may have missed; null where worktrees have everything. */
  readonly findMissing: MissingFinder;
  readonly values: SealedValues;
  readonly clock: Clock;
  readonly rights: Rights;
  /** Hooks and config files as they were at the start. */
  readonly fingerprint: Fingerprint;
  /** What an agent does now, for those who watch. */
  readonly tell: (activity: Activity) => void;
  /** What the last red gate of an attempt printed. */
  readonly redOutput: (attempt: AttemptId) => TextHash | null;
  readonly targetWatch: TargetWatch;
  readonly checkoutGuard: CheckoutGuard | null;
};

/** As whom agents run. */
export type Rights = { readonly isRoot: boolean; readonly allowRoot: boolean };

/** A task of the plan with where it stands. */
export function taskOf(state: RunState, id: TaskId): { readonly task: Task; readonly now: TaskState } {
  const i = state.index.indexOf.get(id);
  if (i === undefined) throw new Error(`unknown task ${id}`);
  return { task: taskAt(state.index, i), now: taskState(state, i) };
}

export function liveAttempt(state: RunState, id: AttemptId): LiveAttempt {
  const attempt = taskOf(state, splitAttemptId(id).task).now.live.find((live) => live.id === id);
  if (attempt === undefined) throw new Error(`the attempt ${id} is over`);
  return attempt;
}

export function pastAttempt(state: RunState, id: AttemptId): PastAttempt | null {
  return taskOf(state, splitAttemptId(id).task).now.past.find((past) => past.id === id) ?? null;
}

/** The attempt whose worktree the next one takes over; none where its work is merged. */
export function workAwaited(fix: FixAsked | null): AttemptId | undefined {
  return fix?.because ? fix.attempt : undefined;
}

/** How a program of the run is watched, and by what it is known. */
export function supervision({ masker, lifeline, clock, run }: RunContext, what: string) {
  return { masker, lifeline, clock, runMarker: run, marker: uniqueMarker(run, what) };
}

/** What a program sees: the user's own environment, without what would redirect git or speak of plait. */
export function programEnv(site: RunContext, own: Env, ofSlot: Env = {}): Env {
  const { env, shadow, checkoutGuard, values } = site;
  const git = agentGitEnvironment(shadow.excludesFile, checkoutGuard);
  return { ...env, ...git, ...ofSlot, ...values.open(own) };
}

/** What an agent, a command or a gate sees that is about to start in this worktree. */
export async function envIn(site: RunContext, lease: Lease, own: Env): Promise<Env> {
  return programEnv(site, own, await site.slots.handOver(lease));
}

/** GIT_* would send the agent's git to somebody else's index, PLAIT_* belongs to the run that plait may be part of. */
export function inheritable(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:GIT|PLAIT)_/.test(name)));
}
