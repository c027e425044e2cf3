import { isBaseSettled } from "./base-check.ts";
import { changeAccounts, limitAccount, onProbed, skipWaits } from "./evolve/accounts.ts";
import { onAttemptFact } from "./evolve/attempts.ts";
import { onEffectFailed } from "./evolve/effects.ts";
import { onIntegrationFact } from "./evolve/integration.ts";
import { onLandingFact, onTargetMoved } from "./evolve/landing.ts";
import { onWorktreeOpened } from "./evolve/open.ts";
import { onPersonFact } from "./evolve/people.ts";
import { recount } from "./evolve/revise.ts";
import { onGateJudged } from "./evolve/verdicts.ts";
import type { EpochMs, Fact, TypedFact } from "./facts.ts";
import { indexPlan } from "./run-index.ts";
import { freshTask, type RunState, type TaskState, usablePolicy } from "./run-state.ts";
import { advanceClock, changeTask, emptyIndices, rebuildIndices, taskState } from "./run-tasks.ts";
import { entries, type SortedMap, set } from "./sorted-map.ts";

/**
 * The fold: what the run is after one more fact. Total and pure. A fact that is stale, repeated or about something
 * unknown changes nothing but the clock; null is a run that has not started.
 */
export function evolve(state: RunState | null, fact: Fact): RunState | null {
  if (fact.type === "run.started") return state ?? start(fact);
  if (state === null) return null;
  if (fact.type === "run.resumed") return resume(state, fact);
  if (fact.type === "run.slept") return wakeUp(state, fact);
  return apply(advanceClock(state, fact.at), fact);
}

export function replay(facts: Iterable<Fact>): RunState | null {
  let state: RunState | null = null;
  for (const fact of facts) state = evolve(state, fact);
  return state;
}

type Applied = Exclude<Fact, { type: "run.started" | "run.resumed" | "run.slept" }>;

function apply(state: RunState, fact: Applied): RunState {
  switch (fact.type) {
    case "run.held":
      return state.held === null ? { ...state, held: fact.why } : state;
    case "run.ended":
      return state.ended === null ? end(state, fact) : state;
    case "worktree.opened":
      return onWorktreeOpened(state, fact);
    case "attempt.started":
    case "attempt.spawned":
    case "attempt.ended":
    case "attempt.saved":
      return onAttemptFact(state, fact);
    case "candidate.built":
    case "candidate.refused":
    case "integration.advanced":
    case "integration.caught-up":
      return onIntegrationFact(state, fact);
    case "gate.judged":
      return onGateJudged(state, fact);
    case "target.moved":
      return onTargetMoved(state, fact);
    case "landing.built":
    case "run.landed":
    case "landing.refused":
    case "landing.undone":
    case "undo.refused":
    case "run.published":
    case "publishing.refused":
      return onLandingFact(state, fact);
    case "account.limited":
      return limitAccount(state, fact.account, fact);
    case "account.probed":
      return onProbed(state, fact.account, fact);
    case "waits.skipped":
      return skipWaits(state, fact);
    case "accounts.changed":
      return changeAccounts(state, fact);
    case "effect.failed":
      return onEffectFailed(state, fact);
    default:
      return onPersonFact(state, fact);
  }
}

/** What a person asked to land is settled with the end; a later retry does not land by itself. */
function end(state: RunState, { at, outcome }: TypedFact<"run.ended">): RunState {
  return { ...state, landingAsked: false, ended: { at, outcome } };
}

function start(fact: TypedFact<"run.started">): RunState {
  const { target } = fact;
  const policy = usablePolicy(fact.policy);
  const { publish, landStyle, mergeBatch: batch } = policy;
  let tasks: SortedMap<number, TaskState> = null;
  fact.plan.tasks.forEach((_, i) => {
    tasks = set(tasks, i, freshTask());
  });
  const bare: RunState = {
    run: fact.run,
    index: indexPlan(fact.plan, fact.accounts),
    policy,
    startedAt: fact.at,
    undrivenMs: 0,
    clock: fact.at,
    base: fact.base,
    target,
    targetAt: fact.targetAt ?? null,
    targetAtStart: fact.targetAt ?? null,
    unexplained: null,
    landingDefaults: { publish, landStyle, target },
    workFolder: fact.workFolder ?? null,
    allowRoot: fact.driver.allowRoot ?? false,
    ...(fact.sandbox !== undefined && { sandbox: fact.sandbox }),
    selected: fact.selected === null ? null : new Set(fact.selected),
    gone: new Set(),
    tip: fact.base,
    tasks,
    candidates: [],
    stalledAt: null,
    batch,
    greens: null,
    redOnBase: null,
    redBefore: null,
    flaky: null,
    begun: false,
    accounts: null,
    failing: null,
    spentUsd: 0,
    paused: false,
    stopping: null,
    stopSignal: null,
    failedFast: false,
    landingAsked: false,
    undoAsked: false,
    held: null,
    landing: { kind: "none" },
    targetFix: null,
    landings: [],
    reverted: [],
    published: { kind: "no" },
    pushed: new Map(),
    landedTip: null,
    ended: null,
    indices: emptyIndices(),
  };
  return recount(rebuildIndices(bare));
}

/**
 * A new driver: what was stopped goes on, and no wait lasts longer than its own length from now, whatever the wall
 * clock did in between. Nobody is charged with the time in which no driver was there, as after a night's sleep.
 */
function resume(state: RunState, { at, driver, sandbox }: TypedFact<"run.resumed">): RunState {
  const { heldStep: _, sandbox: __, ...before } = state;
  let next: RunState = rebuildIndices({
    ...before,
    clock: at,
    allowRoot: driver.allowRoot ?? state.allowRoot,
    ...(sandbox != null && { sandbox }),
    undrivenMs: state.undrivenMs + (at - state.clock),
    paused: false,
    stopping: null,
    stopSignal: null,
    failedFast: false,
    failing: null,
    held: null,
    ended: null,
    // What made a gate red may be gone: a program that was missing, a port that was in use.
    redOnBase: isBaseSettled(state) ? state.redOnBase : null,
    redBefore: rememberReds(state),
    accounts: shortenLimits(state.accounts, at),
    landing: state.landing.kind === "refused" ? { kind: "none" } : state.landing,
    published: state.published.kind === "refused" ? { kind: "no" } : state.published,
  });
  for (const [i, { phase }] of entries(state.tasks)) {
    if (phase.kind !== "backoff" && phase.kind !== "parked") continue;
    const until = Math.min(phase.until, at + phase.durationMs);
    if (until !== phase.until) next = changeTask(next, i, { phase: { ...phase, until } });
  }
  return unworked(next, at - state.clock);
}

function rememberReds({ redOnBase, redBefore }: RunState): RunState["redBefore"] {
  let next = redBefore;
  for (const [check] of entries(redOnBase)) next = set(next, check, true as const);
  return next;
}

/** Waits that ended meanwhile are over. Nobody worked while the machine slept, so nobody's time is charged with it. */
function wakeUp(state: RunState, { from, at }: TypedFact<"run.slept">): RunState {
  if (at <= state.clock) return state;
  const sleptMs = at - from;
  return unworked(advanceClock({ ...state, undrivenMs: state.undrivenMs + sleptMs }, at), sleptMs);
}

/** Nobody worked on what is live for so long. Times of day stay as they were. */
function unworked(state: RunState, ms: number): RunState {
  let next = state;
  for (const [i] of entries(state.indices.live)) {
    const live = taskState(next, i).live.map((one) => ({ ...one, undrivenMs: one.undrivenMs + ms }));
    next = changeTask(next, i, { live });
  }
  return next;
}

function shortenLimits(accounts: RunState["accounts"], at: EpochMs): RunState["accounts"] {
  let next = accounts;
  for (const [key, limit] of entries(accounts)) {
    next = set(next, key, { ...limit, until: Math.min(limit.until, at + limit.durationMs) });
  }
  return next;
}
