import { decide, type RunAction } from "../decide.ts";
import type { TaskId } from "../ids.ts";
import { landingRevision } from "../landing.ts";
import { isLimited } from "../queries.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { values } from "../sorted-map.ts";
import { findResumeReason } from "./run-status.ts";

/** Whether somebody drives the run; what is under way can be asked of nobody else. */
export type OfferOptions = { readonly isRunning: boolean };

/**
 * What makes sense to ask now, the likeliest first: of one task, or of the run where `task` is null. Everything here is
 * something that `decide` would allow; what it would allow without any use, such as dropping a skipped task, is not here.
 */
export function offers(state: RunState, task: TaskId | null, { isRunning }: OfferOptions): RunAction[] {
  const wished = task === null ? ofRun(state, isRunning) : ofTask(state, task, isRunning);
  return wished.filter((action) => action.kind === "resume" || decide(state, action, state.clock).ok);
}

/** Of all offers the one of this kind. */
export function offered<K extends RunAction["kind"]>(
  actions: readonly RunAction[],
  kind: K,
): Extract<RunAction, { kind: K }> | null {
  return actions.find((one): one is Extract<RunAction, { kind: K }> => one.kind === kind) ?? null;
}

function ofTask(state: RunState, task: TaskId, isRunning: boolean): RunAction[] {
  const i = state.index.indexOf.get(task);
  if (i === undefined || state.gone.has(task)) return [];
  const of = taskState(state, i);
  // Without a driver only what starts one: it finds nothing under way that could be held or dropped.
  const underWay: RunAction[] = isRunning ? whileDriven(of, task) : [];
  return [{ kind: "accept", task }, { kind: "approve", task }, ...retry(of, task), ...underWay];
}

/** What waits for a time starts at once: a request that is followed by the same wait is useless. */
function retry({ open, phase }: TaskState, task: TaskId): RunAction[] {
  const isWaiting = phase.kind === "parked" || phase.kind === "backoff" || phase.kind === "waiting";
  if (open !== null) return [];
  return [isWaiting ? { kind: "retry", task, now: true } : { kind: "retry", task }];
}

const HELD_BY_PERSON = "held by you";

function whileDriven({ phase: { kind } }: TaskState, task: TaskId): RunAction[] {
  const actions: RunAction[] = [];
  const hasStopped = kind === "failed" || kind === "held" || kind === "cancelled";
  if (hasStopped || kind === "backoff" || kind === "parked") actions.push({ kind: "open", task });
  if (!hasStopped && kind !== "skipped") actions.push({ kind: "hold", task, why: HELD_BY_PERSON });
  if (kind !== "skipped" && kind !== "failed") actions.push({ kind: "cancel", task });
  return actions;
}

function ofRun(state: RunState, isRunning: boolean): RunAction[] {
  if (!isRunning)
    return [...(findResumeReason(state) !== null ? [{ kind: "resume" } as const] : []), ...ofBranch(state)];
  const stops: RunAction[] = [
    { kind: "stop", mode: "drain" },
    { kind: "stop", mode: "stop" },
    ...(state.stopping === "stop" ? [{ kind: "stop", mode: "kill" } as const] : []),
  ];
  const pause: RunAction[] = state.paused
    ? [{ kind: "unpause" }]
    : state.stopping === null
      ? [{ kind: "pause" }]
      : [];
  const isLanding = landingRevision(state) !== null || (state.landingAsked && state.ended === null);
  return [...pause, ...stops, ...retryNow(state), ...(isLanding ? [] : ofBranch(state))];
}

/** Ends waits for a limit; a task that is retrying by itself is asked for by its name. */
function retryNow(state: RunState): RunAction[] {
  const isPaused = [...values(state.accounts)].some((limit) => isLimited(limit, state.clock));
  return isPaused ? [{ kind: "retry-now" }] : [];
}

function ofBranch({ target, undoAsked }: RunState): RunAction[] {
  return [
    ...(target === null ? [] : [{ kind: "land" } as const]),
    ...(undoAsked ? [] : [{ kind: "undo" } as const]),
  ];
}
