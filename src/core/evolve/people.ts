import type { EpochMs, PersonFact, Policy, TypedFact } from "../facts.ts";
import { isToBePublished, lastLanding } from "../landing.ts";
import { unreachable } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import { type RunState, type TaskPhase, usablePolicy } from "../run-state.ts";
import { changeTask, isSatisfied, isSettled, taskState } from "../run-tasks.ts";
import { enqueue } from "./attempts.ts";
import { skipDependents, skipIfHopeless } from "./dependents.ts";
import { leaveQueue } from "./integration.ts";
import { beginStop, endAttempts } from "./live.ts";
import { onTaskOpened } from "./open.ts";
import { reopen, revisePlan } from "./revise.ts";
import { giveUpTargetFix } from "./target-fix.ts";

/** What a person asked for. `decide` has checked that it makes sense; here it takes effect, also when replayed late. */
export function onPersonFact(state: RunState, fact: TypedFact<PersonFact["type"]>): RunState {
  switch (fact.type) {
    case "run.stopping":
      return stop(state, fact);
    case "run.paused":
      return state.paused ? state : { ...state, paused: true };
    case "run.unpaused":
      return state.paused ? { ...state, paused: false } : state;
    case "policy.changed":
      return changePolicy(state, usablePolicy(fact.policy), fact.for === "landing");
    case "landing.asked":
      return askForLanding(state, fact);
    case "undo.asked":
      return lastLanding(state) !== null && !state.undoAsked
        ? { ...state, undoAsked: true, ended: null }
        : state;
    case "plan.revised":
      return revisePlan(state, fact);
    case "task.reopened":
    case "task.cancelled":
    case "task.held":
    case "task.opened":
    case "task.approved":
      return onTaskFact(state, fact);
    default:
      return unreachable(fact);
  }
}

/** Who asked first is remembered, however hard the stop becomes. */
function stop(state: RunState, { mode, signal }: TypedFact<"run.stopping">): RunState {
  const next = beginStop(state, mode, "stop");
  return state.stopping === null ? { ...next, stopSignal: signal } : next;
}

function changePolicy(state: RunState, policy: Policy, isForLanding: boolean): RunState {
  if (JSON.stringify(policy) === JSON.stringify(state.policy)) return state;
  const { publish, landStyle } = policy;
  const wasChanged =
    publish !== state.policy.publish || JSON.stringify(landStyle) !== JSON.stringify(state.policy.landStyle);
  // Whoever changes the budget says nothing about landings.
  const isDefault = wasChanged && !isForLanding;
  const landingDefaults = isDefault
    ? { ...state.landingDefaults, publish, landStyle }
    : state.landingDefaults;
  return { ...state, policy, landingDefaults };
}

/** What is merged lands now, and then the run ends. A landing that was refused is tried again. */
function askForLanding(
  state: RunState,
  { target = state.target ?? undefined, again }: TypedFact<"landing.asked">,
): RunState {
  const isKnown = state.landingAsked && state.ended === null && state.landing.kind === "none";
  if (isKnown && state.stopping === null && (target ?? null) === state.target) return state;
  const asked = {
    landingAsked: true,
    ended: null,
    stopping: null,
    stopSignal: null,
    failedFast: false,
  } as const;
  const isUnsettled = again === true || state.published.kind === "refused";
  const published = isUnsettled ? ({ kind: "no" } as const) : state.published;
  const next: RunState = { ...state, ...asked, published };
  // What landed and is not on the server yet only goes there.
  if (state.landing.kind === "landed") return isToBePublished(next) ? next : state;
  // A person who lands the run has seen where its branch is.
  const targetAt = (target ?? null) === state.target ? state.targetAt : null;
  return { ...next, target: target ?? null, targetAt, unexplained: null, landing: { kind: "none" } };
}

function onTaskFact(state: RunState, fact: TypedFact<`task.${string}` & PersonFact["type"]>): RunState {
  const i = state.index.indexOf.get(fact.task);
  if (i === undefined) return state;
  switch (fact.type) {
    case "task.reopened":
      return reopen(state, i, fact.brief ?? null);
    case "task.cancelled":
      return cancel(state, i, fact.at);
    case "task.held":
      return hold(state, i, fact);
    case "task.opened":
      return onTaskOpened(state, i, fact);
    case "task.approved":
      return approve(state, i, fact);
    default:
      return unreachable(fact);
  }
}

function cancel(state: RunState, i: number, at: EpochMs): RunState {
  const { phase } = taskState(state, i);
  if (isSatisfied(phase) || phase.kind === "cancelled") return state;
  const cancelled: TaskPhase = { kind: "cancelled" };
  const out = phase.kind === "queued" ? leaveQueue(state, taskAt(state.index, i).id) : state;
  const merged = giveUpTargetFix(out, i);
  if (merged !== null) return endAttempts(withoutFixRounds(merged, i), i, "cancel", at);
  const over = changeTask(out, i, { phase: cancelled, volley: 0, fix: null });
  return skipDependents(endAttempts(over, i, "cancel", at), i);
}

/** A person does not want its agent asked again. */
function withoutFixRounds(state: RunState, i: number): RunState {
  const { fixRounds } = taskAt(state.index, i);
  return changeTask(state, i, { used: { ...taskState(state, i).used, fixRounds } });
}

function hold(state: RunState, i: number, { why, at }: TypedFact<"task.held">): RunState {
  const { phase } = taskState(state, i);
  if (isSettled(phase) || phase.kind === "held") return state;
  const proven = phase.kind === "queued" ? { attempt: phase.attempt, result: phase.result } : null;
  const out = phase.kind === "queued" ? leaveQueue(state, taskAt(state.index, i).id) : state;
  const held = changeTask(out, i, { phase: { kind: "held", why, proven }, volley: 0 });
  return endAttempts(held, i, "cancel", at);
}

/** The work that was approved goes to the queue, no other; a task that was held before it had any starts over. */
function approve(state: RunState, i: number, { attempt, at }: TypedFact<"task.approved">): RunState {
  const { phase } = taskState(state, i);
  if (phase.kind !== "held" || (phase.proven?.attempt ?? null) !== attempt) return state;
  const resumed: RunState = { ...state, ended: null };
  if (phase.proven !== null) return enqueue(resumed, i, { ...phase.proven, at });
  return skipIfHopeless(changeTask(resumed, i, { phase: { kind: "waiting" } }), i);
}
