import { redBaseChecks } from "../base-check.ts";
import type { AttemptFact, EpochMs, Finding, TypedFact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { type AttemptId, splitAttemptId } from "../ids.ts";
import { countAttempt, formatTargetName, isTargetFix, unreachable } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type {
  Ended,
  LiveAttempt,
  Proven,
  RunState,
  Saved,
  Stage,
  StopCause,
  TaskPhase,
  TaskState,
} from "../run-state.ts";
import { changeTask, isSatisfied, isSettled, listMissingChecks, taskState } from "../run-tasks.ts";
import { beginTrial, endTrial, freeAccount, meetLimit, provesAccount } from "./accounts.ts";
import { satisfyDependents } from "./dependents.ts";
import { type Failed, settleFailure } from "./failed-attempt.ts";
import { endAttempts, putLive, type Retired, retire } from "./live.ts";
import { giveUpTargetFix } from "./target-fix.ts";

/**
 * One attempt from start to the queue: started → spawned → ended → saved → (gates) → queued, passed or failed.
 * Each step only takes an attempt that is at the stage before it, so a late or repeated fact changes nothing.
 */
export function onAttemptFact(state: RunState, fact: TypedFact<AttemptFact["type"]>): RunState {
  const { task, n } = splitAttemptId(fact.attempt);
  const i = state.index.indexOf.get(task);
  if (i === undefined) return state;
  if (fact.type === "attempt.started") return onStarted(state, i, n, fact);
  const attempt = taskState(state, i).live.find((live) => live.id === fact.attempt);
  if (attempt === undefined) return state;
  switch (fact.type) {
    case "attempt.spawned": {
      if (attempt.stage.kind !== "prepare") return state;
      const { at: since, pid, startTime, bootId } = fact;
      const stage: Stage = { kind: "run", since, process: { pid, startTime, bootId } };
      return putLive(state, i, { ...attempt, stage });
    }
    case "attempt.ended":
      return onEnded(state, i, attempt, fact);
    case "attempt.saved":
      return onSaved(state, i, attempt, fact);
    default:
      return unreachable(fact);
  }
}

function onStarted(state: RunState, i: number, n: number, fact: TypedFact<"attempt.started">): RunState {
  const task = taskState(state, i);
  // Numbers are given in order and never twice: anything else is an echo or a stray worker.
  if (n !== task.started + 1) return state;
  const { attempt: id, base, worktree, marker, worker, author, continues, at: startedAt } = fact;
  const attempt: LiveAttempt = {
    ...{ id, base, worktree, marker, worker, author, continues, startedAt },
    count: author === "person" ? null : countAttempt(taskAt(state.index, i), task, continues !== null),
    undrivenBefore: state.undrivenMs,
    undrivenMs: 0,
    stop: stopAtStart(state, task, author),
    stage: author === "agent" ? { kind: "prepare" } : personsStage(startedAt),
  };
  const phase: TaskPhase = mayRun(task, author) ? { kind: "active" } : task.phase;
  const begun = state.begun || author === "person" ? state : { ...state, begun: true };
  const open = task.open?.attempt === id ? null : task.open;
  const live = [...task.live, attempt];
  const tried = author === "agent" ? beginTrial(begun, i, id) : begun;
  return changeTask(tried, i, { phase, started: n, volley: task.volley + 1, live, open });
}

/** It may have been on its way while somebody stopped the run or settled the task. */
function stopAtStart(state: RunState, task: TaskState, author: "agent" | "person"): StopCause | null {
  if (!mayRun(task, author)) return "cancel";
  if (author === "person") return null;
  if (state.stopping === "stop" || state.stopping === "kill") return state.failedFast ? "fail-fast" : "stop";
  return redBaseChecks(state).length > 0 ? "red-base" : null;
}

/** A person may take over what plait gave up; an agent that starts beside a settled task is stopped at once. */
function mayRun(task: TaskState, author: "agent" | "person"): boolean {
  if (author === "person") return !isSatisfied(task.phase);
  return !isSettled(task.phase) && task.phase.kind !== "queued" && task.phase.kind !== "held";
}

/** What a person left in the worktree is saved and proven like an agent's work. */
function personsStage(at: EpochMs): Stage {
  const usage = { costUsd: null, inputTokens: null, outputTokens: null };
  const nothing = { failure: null, exit: null, conversation: null, said: null, denials: [] };
  return { kind: "save", ended: { at, undrivenMs: 0, usage, ...nothing } };
}

function onEnded(
  state: RunState,
  i: number,
  attempt: LiveAttempt,
  fact: TypedFact<"attempt.ended">,
): RunState {
  if (attempt.stage.kind !== "prepare" && attempt.stage.kind !== "run") return state;
  const { at, exit, usage, conversation, said, denials, walled } = fact;
  const failure = asAsked(attempt, fact.failure);
  const { undrivenMs } = attempt;
  const ended: Ended = {
    at,
    undrivenMs,
    failure,
    exit,
    usage,
    conversation,
    said,
    denials,
    ...(walled && { walled }),
  };
  const next = putLive(state, i, { ...attempt, stage: { kind: "save", ended } });
  const spent = { ...next, spentUsd: next.spentUsd + (usage.costUsd ?? 0) };
  const { id, startedAt } = attempt;
  if (failure !== null) return endTrial(meetLimit(spent, i, { attempt: id, startedAt, failure, at }), i, id);
  const account = provesAccount(spent, i, startedAt);
  return account === null ? spent : freeAccount(spent, account, at);
}

/**
 * Found dead after plait was told to end it: that is what was asked, not an accident. Cancelled though nobody asked:
 * that is an accident.
 */
function asAsked({ stop }: LiveAttempt, failure: AttemptFailure | null): AttemptFailure | null {
  if (stop !== null && failure?.reason === "orphaned") {
    return { reason: "cancelled", because: stop, detail: failure.detail };
  }
  if (stop === null && failure?.reason === "cancelled") return { reason: "crash", detail: failure.detail };
  return failure;
}

function onSaved(
  state: RunState,
  i: number,
  attempt: LiveAttempt,
  fact: TypedFact<"attempt.saved">,
): RunState {
  if (attempt.stage.kind !== "save") return state;
  const { ended } = attempt.stage;
  const { at, ref, result, changed, findings, report, ignored, kept, stays = null } = fact;
  const saved: Saved = { at, ref, result, changed, findings, report, ignored, kept, stays };
  const failure = ended.failure ?? refusedBecause(attempt) ?? judgeResult(state, i, { ended, saved });
  if (failure !== null) return dropAttempt(state, i, { attempt, saved, failure, at });
  const missing = listMissingChecks(state, saved.result.tree, state.index.checks[i] ?? []);
  const gating = putLive(state, i, { ...attempt, stage: { kind: "gate", ended, saved, missing } });
  return missing.length === 0 ? proveAttempt(gating, i, attempt.id, at) : gating;
}

/** Its work is safe on a ref, but nobody wants it any more. A mere stop lets finished work go on. */
function refusedBecause({ stop }: LiveAttempt): AttemptFailure | null {
  if (stop !== "cancel" && stop !== "superseded") return null;
  return { reason: "cancelled", because: stop, detail: "stopped on request" };
}

/** What the diff and the agent's refusals say, before any gate. */
function judgeResult(
  state: RunState,
  i: number,
  { ended, saved }: { ended: Ended; saved: Saved },
): AttemptFailure | null {
  const task = taskAt(state.index, i);
  const blocking = saved.findings.filter(({ blocks }) => blocks);
  if (blocking.length > 0) return nameSides(state, i, blockedBy(blocking));
  if (!saved.changed && task.access === "write" && !task.allowEmpty) {
    return { reason: "nothing-done", detail: emptyDetail(state) };
  }
  // Gates can show that it did without what it was refused; where there are none, nothing can. To be refused what changes
  // something is what read-only work is about.
  if (ended.denials.length > 0 && task.gates.length === 0 && task.access === "write") {
    return { reason: "denied", detail: `it was refused ${ended.denials.join(", ")}` };
  }
  return null;
}

/** Where the plan's format has a key for it, the fix can be pasted. */
function emptyDetail({ index }: RunState): string {
  const key = EMPTY_KEYS[index.plan.source.format];
  const ended = "made no changes";
  return key === undefined ? ended : `${ended}; if that is correct, set ${key}`;
}

const EMPTY_KEYS: { readonly [format: string]: string } = {
  native: "`allow-empty: true` in the task",
  cpo: "`allow-empty: true` in the front matter of its task file",
  po: "`allow_empty: true` in the task",
  adm: '`"allow_empty": true` in the agent\'s entry',
};

/** What nobody may do comes first, then what was not done, then what should have been left alone. */
function blockedBy(all: readonly Finding[]): AttemptFailure {
  // A file that is missing matters once the rest may be merged.
  const blocking = all.filter(({ kind }) => kind !== "missing-file");
  if (blocking.length === 0) {
    const paths = all.map(({ path }) => path);
    return { reason: "incomplete", paths, detail: `did not create ${paths.join(", ")}` };
  }
  const detail = blocking.map(({ path, detail: what }) => `${path}: ${what}`).join("; ");
  if (!blocking.every(({ kind }) => FIXABLE.has(kind))) return { reason: "denied", detail };
  const unresolved = blocking.filter(({ kind }) => kind === "unresolved").map(({ path }) => path);
  if (unresolved.length > 0) return { reason: "conflict", with: [], paths: unresolved, isLeft: true, detail };
  return { reason: "ownership", findings: blocking, detail };
}

/** Of markers that are left: the other side is the target, or the tasks of the conflict that was to be fixed. */
function nameSides(state: RunState, i: number, failure: AttemptFailure): AttemptFailure {
  if (failure.reason !== "conflict") return failure;
  if (isTargetFix(state, taskAt(state.index, i).id)) return { ...failure, target: formatTargetName(state) };
  const because = taskState(state, i).fix?.because ?? null;
  return because?.reason === "conflict" ? { ...failure, with: because.with } : failure;
}

const FIXABLE = new Set<Finding["kind"]>([
  "outside-claims",
  "boundary",
  "guarded",
  "unresolved",
  "submodule",
]);

/** Every gate is green: to the queue, to a person, or done where there is nothing to merge. */
export function proveAttempt(state: RunState, i: number, id: AttemptId, at: EpochMs): RunState {
  const attempt = taskState(state, i).live.find((live) => live.id === id);
  if (attempt?.stage.kind !== "gate") return state;
  const { saved } = attempt.stage;
  const retired = retire(state, i, { attempt, saved, failure: null, at });
  if (taskState(retired, i).phase.kind !== "active") return retired;
  const proven = changeTask(endAttempts(retired, i, "superseded", at), i, { fix: null, volley: 0 });
  const task = taskAt(state.index, i);
  if (task.access === "read-only" || !saved.changed) {
    const merged = giveUpTargetFix(proven, i);
    if (merged !== null) return merged;
    const { tree } = saved.result;
    const phase: TaskPhase = { kind: "passed", attempt: id, tree, report: saved.report, at };
    return satisfyDependents(changeTask(proven, i, { phase, brief: null }), i);
  }
  const result = { attempt: id, result: saved.result };
  if (!task.approve) return enqueue(proven, i, { ...result, at });
  const held: TaskPhase = { kind: "held", why: "waiting for your approval", proven: result };
  return changeTask(proven, i, { phase: held });
}

export function enqueue(
  state: RunState,
  i: number,
  { attempt, result, at }: Proven & { at: EpochMs },
): RunState {
  const { undrivenMs: undrivenBefore, indices } = state;
  const queued = {
    kind: "queued",
    attempt,
    result,
    turn: indices.nextTurn,
    since: at,
    undrivenBefore,
  } as const;
  return changeTask(state, i, { phase: queued });
}

/** The attempt is over without success; the task follows when no other attempt of it lives. */
export function dropAttempt(
  state: RunState,
  i: number,
  dropped: Retired & { readonly failure: AttemptFailure },
): RunState {
  const retired = retire(state, i, dropped);
  const task = taskState(retired, i);
  if (task.phase.kind !== "active" || task.live.length > 0) return retired;
  const { attempt, failure, at } = dropped;
  const failed: Failed = { attempt: attempt.id, author: attempt.author, failure, at };
  return settleFailure(retired, i, failed);
}
