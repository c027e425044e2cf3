import { redBaseChecks } from "../base-check.ts";
import type { EpochMs, LandingRefusal, RunOutcome, StopMode } from "../facts.ts";
import type { Oid, RefName } from "../ids.ts";
import { isOverBudget, landingRevision, lastLanding, outcomeOf, staysOnIntegration } from "../landing.ts";
import type { RefusedMove } from "../landing-types.ts";
import type { PullRequest } from "../proposal.ts";
import { checkKey } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { get, values } from "../sorted-map.ts";
import { nextWake, wants } from "../wants.ts";
import { baseGate, hasWorkingAgents } from "./blocking.ts";
import { endsByCheck } from "./failure-text.ts";
import { forecast } from "./forecast.ts";

/**
 * The status of a run, decided here and nowhere else: terminal, web UI, reports, notifications, tools, older command lines and exit
 * codes read it. run-status-text.ts words it.
 */
export type RunStatus =
  | { readonly kind: "running"; readonly doing: RunDoing; readonly readyAt: EpochMs | null }
  /** `until` is null where a person paused the run; `isCheck`: it is the time of the next check. */
  | { readonly kind: "paused"; readonly until: EpochMs | null; readonly isCheck: boolean }
  | { readonly kind: "stopping"; readonly mode: StopMode; readonly isFailFast: boolean }
  /** A plait process runs it, but only a person can move it. */
  | { readonly kind: "held"; readonly obstacle: Obstacle }
  /** The plait process died before the run ended. */
  | { readonly kind: "interrupted"; readonly lastActive: EpochMs }
  | EndedStatus;

export type RunDoing = "tasks" | "base-check" | "landing" | "undoing";

export type EndedStatus = {
  readonly at: EpochMs;
  /** What `plait run` exits with, where no signal ended it. 0 is I1. */
  readonly exit: RunExit;
} & (
  | ({ readonly kind: "landed"; readonly isGated: boolean; readonly obstacle: Obstacle | null } & LandedAt)
  | ({
      readonly kind: "partly-landed";
      readonly isLastUndone: boolean;
      /** Tasks that a person dropped: the rest may all have landed. */
      readonly dropped: number;
      readonly obstacle: Obstacle | null;
    } & LandedAt)
  /** Complete, and asked not to land on a branch of this repository. */
  | { readonly kind: "done"; readonly where: DoneWhere }
  | { readonly kind: "undone"; readonly target: RefName }
  | { readonly kind: "stopped"; readonly by: Stopper; readonly obstacle: Obstacle | null }
  | { readonly kind: "not-landed"; readonly obstacle: Obstacle | null }
);

export type RunExit = 0 | 1 | 3;

export type LandedAt = { readonly target: RefName; readonly commit: Oid };

export type DoneWhere =
  | { readonly kind: "nothing" }
  | { readonly kind: "integration"; readonly branch: string }
  | { readonly kind: "pushed"; readonly branch: string; readonly remote: string }
  | { readonly kind: "pull-requests"; readonly pullRequests: readonly PullRequest[] };

/** ^C and `plait stop` are a person's; a hang-up or a machine that shuts down is not. */
export type Stopper = { readonly kind: "person" } | { readonly kind: "signal"; readonly signal: string };

/** What keeps a run from landing, or what of the landing is missing. Null where the counts of its tasks say it all. */
export type Obstacle =
  | { readonly kind: "budget"; readonly spentUsd: number; readonly budgetUsd: number }
  | {
      readonly kind: "red-base";
      readonly gates: readonly string[];
      /** Of the first: its exit code, or the setup that failed before it could run. */
      readonly summary: string;
      /** The commit could not be prepared, so its gates did not run. */
      readonly isUnprepared: boolean;
      readonly commit: Oid;
      readonly hasBegun: boolean;
    }
  | ({ readonly kind: "refused"; readonly why: LandingRefusal } & RefusedMove)
  /** A step of plait's own kept failing: the key of its want, such as `save a/1`; null where an older journal does not say. */
  | { readonly kind: "step"; readonly step: string | null; readonly detail: string }
  | { readonly kind: "not-pushed"; readonly detail: string; readonly output: string };

export function findRunStatus(state: RunState, now: EpochMs, isRunning: boolean): RunStatus {
  if (state.ended !== null) return findEndedStatus(state, state.ended);
  return isRunning ? findRunningStatus(state, now) : { kind: "interrupted", lastActive: state.clock };
}

/** As if the run ended now, where it has not. */
export function findEndStatus(state: RunState): EndedStatus {
  return findEndedStatus(state, state.ended ?? { at: state.clock, outcome: outcomeOf(state) });
}

/** It ended, and everything is where it was to be (I1). */
export const hasSucceeded = (state: RunState): boolean =>
  state.ended !== null && findEndStatus(state).exit === 0;

export const isEnded = (status: RunStatus): status is EndedStatus => "exit" in status;

export const findStatusObstacle = (status: RunStatus): Obstacle | null =>
  "obstacle" in status ? status.obstacle : null;

function findRunningStatus(state: RunState, now: EpochMs): RunStatus {
  const obstacle = findObstacle(state);
  if (state.undoAsked) return running("undoing");
  if (obstacle?.kind === "step") return { kind: "held", obstacle };
  if (state.stopping !== null) {
    const isFailFast = state.failedFast && state.stopping !== "kill";
    return { kind: "stopping", mode: state.stopping, isFailFast };
  }
  if (obstacle?.kind === "refused") return { kind: "held", obstacle };
  if (state.paused) return { kind: "paused", until: null, isCheck: false };
  // Where plait wants nothing, only time or a person moves the run.
  const wake = wants(state, now).length === 0 ? nextWake(state, now) : null;
  if (wake !== null) {
    const isCheck = [...values(state.accounts)].some(({ until, why }) => until === wake && endsByCheck(why));
    return { kind: "paused", until: wake, isCheck };
  }
  if (baseGate(state) !== null && !hasWorkingAgents(state)) return running("base-check");
  if (landingRevision(state) !== null && !staysOnIntegration(state)) return running("landing");
  return { kind: "running", doing: "tasks", readyAt: forecast(state, now)?.readyAt ?? null };
}

const running = (doing: RunDoing): RunStatus => ({ kind: "running", doing, readyAt: null });

function findEndedStatus(state: RunState, { at, outcome }: NonNullable<RunState["ended"]>): EndedStatus {
  const { landing } = state;
  const obstacle = findObstacle(state, outcome);
  const ended = { at, exit: findExit(outcome, state) };
  const last = lastLanding(state)?.landing;
  if (last !== undefined) {
    const where = { target: last.target, commit: last.to.commit };
    const isWhole =
      landing.kind === "landed" && (outcome === "complete" || state.published.kind === "refused");
    return isWhole
      ? { ...ended, ...where, kind: "landed", isGated: state.index.plan.gates.length > 0, obstacle }
      : {
          ...ended,
          ...where,
          kind: "partly-landed",
          isLastUndone: landing.kind === "undone",
          dropped: countDropped(state),
          obstacle,
        };
  }
  if (landing.kind === "undone") return { ...ended, kind: "undone", target: landing.target };
  if (outcome === "complete") return { ...ended, kind: "done", where: findWhereDone(state) };
  if (isStopOutcome(outcome)) return { ...ended, kind: "stopped", by: findStopper(state), obstacle };
  return { ...ended, kind: "not-landed", obstacle };
}

const isStopOutcome = (outcome: RunOutcome): boolean => outcome === "stopped" || outcome === "drained";

/** Why `plait resume` finds something to do. */
export type ResumeReason = "interrupted" | "stopped" | "step" | "red-base" | "tasks-left" | "tasks-failed";

/** For a run without a process; null where a resume alone would move nothing. Failed tasks of a run that ended are retried by it. */
export function findResumeReason(state: RunState): ResumeReason | null {
  const { ended, held, indices } = state;
  if (ended === null) return "interrupted";
  const status = findEndStatus(state);
  if (status.exit === 0) return null;
  // Also where part of it landed before.
  if (isStopOutcome(ended.outcome)) return "stopped";
  if (held !== null) return "step";
  if (findStatusObstacle(status)?.kind === "red-base") return "red-base";
  if (isOverBudget(state)) return null;
  const { waiting, queued, backoff, parked, failed } = indices.phases;
  // A run that was asked to land may end with tasks that are still paused by a limit.
  if (indices.phases.held === 0 && waiting + queued + backoff + parked > 0) return "tasks-left";
  return failed > 0 ? "tasks-failed" : null;
}

/** Its process ended before it could: nothing has to be changed for it to continue. */
export function wasCutShort(state: RunState): boolean {
  const reason = findResumeReason(state);
  return reason === "interrupted" || reason === "stopped";
}

/** A run that cannot start, or whose own steps keep failing, is the machine's or the repository's fault, not the tasks'. */
function findExit(outcome: RunOutcome, { held }: RunState): RunExit {
  if (outcome === "complete") return 0;
  const isStuck = held !== null && (outcome === "held" || outcome === "not-landed");
  return outcome === "red-base" || isStuck ? 3 : 1;
}

/** A task that left the plan is not counted. */
function countDropped({ indices: { phases }, gone }: RunState): number {
  return Math.max(0, phases.cancelled - gone.size);
}

function findStopper({ stopSignal }: RunState): Stopper {
  return stopSignal === null || stopSignal === "SIGINT"
    ? { kind: "person" }
    : { kind: "signal", signal: stopSignal };
}

export function findWhereDone(state: RunState): DoneWhere {
  const { published, tip, base, run } = state;
  if (published.kind === "published") {
    const { pullRequests, branch, remote } = published;
    return pullRequests.length > 0
      ? { kind: "pull-requests", pullRequests }
      : { kind: "pushed", branch, remote };
  }
  if (tip.commit === base.commit) return { kind: "nothing" };
  return { kind: "integration", branch: `plait/${run}/integration` };
}

/** The gravest one. */
function findObstacle(state: RunState, outcome: RunOutcome | null = null): Obstacle | null {
  const { held, heldStep, landing, published, policy, spentUsd, base, begun } = state;
  if (outcome === "complete") return null;
  const [red, ...others] = redBaseChecks(state);
  if (red !== undefined) {
    const gates = [...new Set([red, ...others].map(({ gate }) => gate.name))];
    const { summary = "", isUnprepared = false } = get(state.redOnBase, checkKey(red)) ?? {};
    return { kind: "red-base", gates, summary, isUnprepared, commit: base.commit, hasBegun: begun };
  }
  if (held !== null) return { kind: "step", step: heldStep ?? null, detail: held };
  if (landing.kind === "refused") return landing;
  if (published.kind === "refused")
    return { kind: "not-pushed", detail: published.detail, output: published.said ?? "" };
  if (isOverBudget(state) && outcome === "over-budget")
    return { kind: "budget", spentUsd, budgetUsd: policy.budgetUsd ?? 0 };
  return null;
}
