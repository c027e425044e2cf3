import type { EpochMs, IntegrationFact, MergedAttempt, Revision, TaskAttempt, TypedFact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { splitAttemptId, type TaskId } from "../ids.ts";
import { towardsLanding } from "../landing.ts";
import { chainEnd, isInCandidate, isTargetFix, unreachable } from "../queries.ts";
import { joinChecks } from "../run-index.ts";
import type { Candidate, RunState } from "../run-state.ts";
import { changeTask, findTask, isSatisfied, listMissingChecks, taskState } from "../run-tasks.ts";
import { satisfyDependents, unskipDependents } from "./dependents.ts";
import { settleFailure } from "./failed-attempt.ts";
import { endAttempts } from "./live.ts";
import { needsTip } from "./open.ts";

/**
 * The merge queue. Candidates stand on the tip and on each other; the first one advances the integration ref when all
 * its checks are green (I7). What a red or conflicting candidate carried leaves the queue, what was built on it is
 * built again (I9: a bad task costs the others time, never their result).
 */
export function onIntegrationFact(state: RunState, fact: TypedFact<IntegrationFact["type"]>): RunState {
  switch (fact.type) {
    case "candidate.built":
      return onBuilt(state, fact);
    case "candidate.refused":
      return onRefused(state, fact);
    case "integration.advanced":
      return onAdvanced(state, fact);
    case "integration.caught-up":
      return onCaughtUp(state, fact);
    default:
      return unreachable(fact);
  }
}

function onBuilt(
  state: RunState,
  { from, result, tasks, at, shared }: TypedFact<"candidate.built">,
): RunState {
  if (from !== chainEnd(state) || tasks.length === 0) return state;
  if (!tasks.every((entry) => isQueuedAs(state, entry) && !isInCandidate(state, entry.task))) return state;
  const missing = listMissingChecks(state, result.tree, joinChecks(state.index, tasks));
  const { undrivenMs: undrivenBefore } = state;
  const candidate = {
    ...{ at, undrivenBefore, from, result, tasks, missing, red: null },
    ...(shared && { shared }),
  };
  return { ...state, candidates: [...state.candidates, candidate] };
}

function onRefused(state: RunState, { from, task, failure, at }: TypedFact<"candidate.refused">): RunState {
  if (from !== chainEnd(state) || !isQueuedAs(state, task) || isInCandidate(state, task.task)) return state;
  // It conflicts with work that may never merge: nobody pays for that. It is built again when the tip is known.
  if (from !== state.tip.commit) return state.stalledAt === from ? state : { ...state, stalledAt: from };
  return failQueued(state, task, { failure, at });
}

/** git is believed: the ref moved, whether or not this state had seen the candidate. */
function onAdvanced(state: RunState, { from, to, tasks, at }: TypedFact<"integration.advanced">): RunState {
  if (from !== state.tip.commit || tasks.length === 0) return state;
  const carried = tasks.map(({ task }) => findTask(state, task)?.phase);
  if (carried.some((phase) => phase === undefined || isSatisfied(phase))) return state;
  const [head, ...behind] = state.candidates;
  const isHead = head?.result.commit === to.commit;
  const candidates = isHead ? behind : [];
  const shared =
    isHead && head.shared !== undefined ? [...(state.shared ?? []), ...head.shared] : state.shared;
  const batch = Math.min(state.policy.mergeBatch, Math.max(1, state.batch * 2));
  // What was built or landed before does not hold the new tip.
  const isFitted = tasks.some(({ task }) => isTargetFix(state, task));
  const targetFix = isFitted ? null : state.targetFix;
  const merged = { tip: to, candidates, batch, targetFix, ...(shared && { shared }) };
  let next: RunState = { ...state, ...towardsLanding(state), ...merged };
  for (const entry of tasks) next = mergeTask(next, entry, { to, at });
  const first = next.candidates[0];
  return first?.red ? onRedCandidate(next, first, first.red, at) : next;
}

/** What landed stays the last landing: nothing of the run is new there. */
function onCaughtUp(state: RunState, { from, to }: TypedFact<"integration.caught-up">): RunState {
  if (from !== state.tip.commit || to.commit === from || state.candidates.length > 0) return state;
  const landing = state.landing.kind === "landed" ? state.landing : ({ kind: "none" } as const);
  // A person had merged work redone on top of what the target is now.
  const seen = { targetAt: to.commit, unexplained: null };
  return { ...state, ...seen, tip: to, landedTip: to.commit, landing };
}

function mergeTask(
  state: RunState,
  { task, attempt, commit }: MergedAttempt,
  { to, at }: { to: Revision; at: EpochMs },
): RunState {
  const i = state.index.indexOf.get(task) as number;
  // Merged, but made for words that the plan no longer has: the task is still to be done.
  if (splitAttemptId(attempt).n <= taskState(state, i).stale) return state;
  const proven = listMissingChecks(state, to.tree, state.index.checks[i] ?? []).length === 0;
  const { undrivenMs: undrivenBefore } = state;
  const phase = { kind: "merged", attempt, commit, at, undrivenBefore, proven } as const;
  const past = taskState(state, i).past.map((one) => (one.id === attempt ? { ...one, isMerged: true } : one));
  const merged = changeTask(state, i, { phase, past, fix: null, brief: null, volley: 0 });
  const satisfied = satisfyDependents(endAttempts(merged, i, "superseded", at), i);
  // It may have been cancelled between the move of the ref and its fact; git is believed, also by its dependents.
  return dropOutdatedFixes(unskipDependents(satisfied, i), i);
}

/** A need that was done again: a fix in the old worktree would not have its new work, so the dependent starts afresh (I11). */
function dropOutdatedFixes(state: RunState, i: number): RunState {
  let next = state;
  for (const dependent of state.index.graph.dependents[i] ?? []) {
    const { fix } = taskState(next, dependent);
    const isOutdated = fix !== null && fix.because !== null && !needsTip(fix.because);
    if (isOutdated) next = changeTask(next, dependent, { fix: null });
  }
  return next;
}

/**
 * A gate was red on the merged tree. Further back in the chain that may be the doing of what lies below, so it is only
 * remembered. At the head one task pays for it, and several are built again in halves to find the one.
 */
export function onRedCandidate(
  state: RunState,
  candidate: Candidate,
  failure: AttemptFailure,
  at: EpochMs,
): RunState {
  const position = state.candidates.indexOf(candidate);
  if (position < 0) return state;
  if (position > 0)
    return { ...state, candidates: state.candidates.with(position, { ...candidate, red: failure }) };
  const cut: RunState = { ...state, candidates: [] };
  const [only, ...others] = candidate.tasks;
  if (only === undefined) return cut;
  if (others.length > 0) return { ...cut, batch: Math.max(1, Math.floor(candidate.tasks.length / 2)) };
  return failQueued(cut, only, { failure, at });
}

/** Takes a queued task out of the queue, and with it every candidate that carries it or stands on one that does. */
export function leaveQueue(state: RunState, task: TaskId): RunState {
  const position = state.candidates.findIndex((candidate) =>
    candidate.tasks.some((entry) => entry.task === task),
  );
  return position < 0 ? state : { ...state, candidates: state.candidates.slice(0, position) };
}

function failQueued(
  state: RunState,
  { task, attempt }: TaskAttempt,
  { failure, at }: { failure: AttemptFailure; at: EpochMs },
): RunState {
  const i = state.index.indexOf.get(task);
  if (i === undefined) return state;
  const { past } = taskState(state, i);
  const marked = past.map((one) => (one.id === attempt ? { ...one, failure } : one));
  const author = past.find((one) => one.id === attempt)?.author ?? "agent";
  const out = changeTask(leaveQueue(state, task), i, { past: marked, phase: { kind: "active" } });
  return settleFailure(out, i, { attempt, author, failure, at });
}

function isQueuedAs(state: RunState, { task, attempt }: TaskAttempt): boolean {
  const phase = findTask(state, task)?.phase;
  return phase?.kind === "queued" && phase.attempt === attempt;
}
