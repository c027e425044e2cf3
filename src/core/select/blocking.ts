import { isBaseInDoubt, isBaseReady, isJudgeable, missingBaseChecks } from "../base-check.ts";
import type { AccountLimitReason, EpochMs } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import type { AttemptId, GroupName, TaskId } from "../ids.ts";
import { isOverBudget } from "../landing.ts";
import { accountOf, findLimitReason, hasProcess, isLimited, limitOfAccount } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { advanceClock, findUnmetNeeds, taskState } from "../run-tasks.ts";
import { entries, get } from "../sorted-map.ts";

/** Why a task is not under way: what a person who looks at a waiting task wants to know, and until when. */
export type Block =
  | { readonly kind: "needs"; readonly tasks: readonly TaskId[] }
  /** Its own failed attempt: the next one starts then. */
  | { readonly kind: "retry"; readonly until: EpochMs; readonly failure: AttemptFailure }
  | { readonly kind: "account"; readonly until: EpochMs; readonly why: AccountLimitReason }
  | { readonly kind: "group"; readonly group: GroupName; readonly max: number }
  | { readonly kind: "slots"; readonly of: number }
  | { readonly kind: "base" }
  | { readonly kind: "person"; readonly why: string }
  | { readonly kind: "saving"; readonly attempt: AttemptId }
  | { readonly kind: "landing" }
  | { readonly kind: "paused" }
  | { readonly kind: "stopping" }
  | { readonly kind: "budget"; readonly budgetUsd: number }
  | { readonly kind: "gates"; readonly names: readonly string[] }
  | { readonly kind: "queue"; readonly ahead: number };

/** The nearest reason; null when the task runs, is about to start, or is over. */
export function findBlocker(state: RunState, id: TaskId, now: EpochMs): Block | null {
  const i = state.index.indexOf.get(id);
  if (i === undefined) return null;
  const current = advanceClock(state, now);
  const { phase } = taskState(current, i);
  switch (phase.kind) {
    case "waiting":
      return needsBlock(current, i) ?? startBlock(current, i);
    case "backoff":
    case "parked":
      return waitBlock(current, i, phase) ?? startBlock(current, i);
    case "held":
      return { kind: "person", why: phase.why };
    case "queued":
      return queueBlock(current, phase.turn);
    case "active":
      return gateBlock(current, i);
    default:
      return null;
  }
}

function needsBlock(state: RunState, i: number): Block | null {
  const needs = findUnmetNeeds(state, i);
  return needs.length === 0
    ? null
    : { kind: "needs", tasks: needs.map((need) => taskAt(state.index, need).id) };
}

/** What a limit of its account holds starts when both waits are over. A run that stops starts nothing. */
function waitBlock(state: RunState, i: number, phase: Waiting): Block | null {
  if (phase.until <= state.clock || state.stopping !== null) return null;
  const why = findLimitReason(phase);
  if (why === null)
    return phase.kind === "backoff" ? { kind: "retry", until: phase.until, failure: phase.failure } : null;
  const limit = limitOfAccount(state, accountOf(state, i));
  return { kind: "account", until: Math.max(phase.until, limit?.until ?? 0), why };
}

type Waiting = Extract<TaskPhase, { kind: "backoff" | "parked" }>;

/** In the order in which `wants` would refuse it. */
function startBlock(state: RunState, i: number): Block | null {
  const [unsaved] = taskState(state, i).live;
  if (unsaved !== undefined) return { kind: "saving", attempt: unsaved.id };
  if (isBaseInDoubt(state)) return { kind: "base" };
  if (state.stopping !== null) return { kind: "stopping" };
  if (state.held !== null) return { kind: "person", why: state.held };
  if (state.paused) return { kind: "paused" };
  if (state.landingAsked) return { kind: "landing" };
  if (isOverBudget(state)) return { kind: "budget", budgetUsd: state.policy.budgetUsd ?? 0 };
  const limit = limitOfAccount(state, accountOf(state, i));
  if (isLimited(limit, state.clock)) return { kind: "account", until: limit.until, why: limit.why };
  const { group } = taskAt(state.index, i);
  const max = group === null ? undefined : state.index.limitOfGroup.get(group);
  if (group !== null && max !== undefined && (get(state.indices.groupUse, group as string) ?? 0) >= max) {
    return { kind: "group", group, max };
  }
  const { slots } = state.policy;
  return state.indices.liveAttempts >= slots ? { kind: "slots", of: slots } : null;
}

function gateBlock(state: RunState, i: number): Block | null {
  for (const { stage } of taskState(state, i).live) {
    if (stage.kind !== "gate") continue;
    const [next] = stage.missing;
    if (next !== undefined && !isJudgeable(state, next)) return { kind: "base" };
    return { kind: "gates", names: stage.missing.map(({ gate }) => gate.name) };
  }
  return null;
}

function queueBlock(state: RunState, turn: number): Block {
  if (!isBaseReady(state)) return { kind: "base" };
  let ahead = 0;
  for (let node = state.indices.queue; node !== null; ) {
    if (node.key < turn) {
      ahead += 1 + (node.left?.size ?? 0);
      node = node.right;
    } else node = node.left;
  }
  return { kind: "queue", ahead };
}

/** The gate that checks the base commit now; null when that is over. */
export function baseGate(state: RunState): string | null {
  return missingBaseChecks(state)[0]?.gate.name ?? null;
}

/** Whether agents run meanwhile. */
export function hasWorkingAgents(state: RunState): boolean {
  return [...entries(state.indices.live)].some(([i]) => taskState(state, i).live.some(hasProcess));
}
