import {
  isBaseReady,
  isJudgeable,
  mayCheckWork,
  mayMerge,
  missingBaseChecks,
  redBaseChecks,
} from "./base-check.ts";
import type { EpochMs, GateAsker, TaskAttempt } from "./facts.ts";
import type { AccountKey, Oid } from "./ids.ts";
import {
  isAtRest,
  isToBePublished,
  landingRevision,
  lastLanding,
  missingLandingChecks,
  outcomeOf,
  staysOnIntegration,
} from "./landing.ts";
import { isProposed } from "./plan.ts";
import { chainEnd, hasProcess, isInCandidate, mayBuildOn } from "./queries.ts";
import { type Check, taskAt } from "./run-index.ts";
import type { LiveAttempt, RunState } from "./run-state.ts";
import { advanceClock, greenKey, taskState } from "./run-tasks.ts";
import { entries, firstAbove, get, values } from "./sorted-map.ts";
import { attemptWantKey, startWants } from "./starts.ts";
import type { GateWant, Want } from "./want.ts";

/** All that should be under way now, each once, by key. Empty while only a timer, or a person, can change something. */
export function wants(state: RunState, now: EpochMs): Want[] {
  if (state.ended !== null) return [];
  const current = advanceClock(state, now);
  const list = [
    ...baseWants(current),
    ...attemptWants(current),
    ...startWants(current),
    ...probeWants(current),
    ...openWants(current),
    ...undoWants(current),
  ];
  if (mayMerge(current) && isBaseReady(current)) list.push(...queueWants(current), ...landingWants(current));
  if (list.every(({ key }) => isGivenUp(current, key)) && isOver(current))
    list.push({ kind: "finish", key: "finish", outcome: outcomeOf(current) });
  const others = list.filter((want) => want.kind !== "gate");
  return [...others, ...joined(list)].filter((want) => !waitsForRetry(current, want));
}

/** The next time at which something becomes wanted without a new fact. */
export function nextWake(state: RunState, now: EpochMs): EpochMs | null {
  if (state.ended !== null) return null;
  const time = Math.max(now, state.clock);
  let wake = firstAbove(state.indices.waits, time)?.key ?? null;
  for (const { until } of [...values(state.accounts), ...values(state.failing)]) {
    if (until > time && (wake === null || until < wake)) wake = until;
  }
  return wake;
}

/** It failed so often that a person was asked: the run does not wait for it, and what it was about stays as it is. */
function isGivenUp({ failing, held }: RunState, key: string): boolean {
  return held !== null && (get(failing, key)?.isGivenUp ?? false);
}

/** Whether a step that failed waits for its retry. A run that is killed does not wait to be put away. */
function waitsForRetry({ failing, clock, stopping }: RunState, { key, kind }: Want): boolean {
  if (kind === "finish" && stopping === "kill") return false;
  return (get(failing, key)?.until ?? 0) > clock;
}

function isOver(state: RunState): boolean {
  if (state.stopping !== null || state.held !== null || redBaseChecks(state).length > 0) return true;
  return !state.paused && isAtRest(state);
}

/** All of them are judged, also when one is red: the person learns of every one at once. */
function baseWants(state: RunState): Want[] {
  if (state.paused || state.held !== null || !isBaseAwaited(state)) return [];
  const { commit, tree } = state.base;
  return nextGate(tree, missingBaseChecks(state), { kind: "base", commit }, state.startedAt);
}

/** Whether anything can still merge. Work that a drain lets end is to merge; nothing else starts. */
function isBaseAwaited(state: RunState): boolean {
  const { active, queued } = state.indices.phases;
  if (state.stopping === null) return !isAtRest(state);
  return state.stopping === "drain" && active + queued > 0;
}

function attemptWants(state: RunState): Want[] {
  const list: Want[] = [];
  for (const [i] of entries(state.indices.live)) {
    for (const attempt of taskState(state, i).live) list.push(...attemptWant(state, attempt));
  }
  return list;
}

function attemptWant(state: RunState, attempt: LiveAttempt): Want[] {
  const { id, stage, stop } = attempt;
  if (hasProcess(attempt)) {
    const attend: Want = { kind: "attend", key: attemptWantKey(id), attempt: id };
    if (stop === null) return [attend];
    const kill = state.stopping === "kill";
    return [
      attend,
      { kind: "stop", key: `${kill ? "kill" : "stop"} ${id}`, attempt: id, because: stop, kill },
    ];
  }
  if (stage.kind === "save")
    return state.stopping === "kill" ? [] : [{ kind: "save", key: `save ${id}`, attempt: id }];
  if (stage.kind !== "gate" || !mayCheckWork(state)) return [];
  // The base comes first: what is red there is not the task's to fix, and a known red gate is compared with it.
  const [next] = stage.missing;
  if (next === undefined || !isJudgeable(state, next)) return [];
  const { result, at } = stage.saved;
  return nextGate(result.tree, stage.missing, { kind: "attempt", attempt: id }, at);
}

/** The gates of a tree go one after another, in the order of the plan: they share one prepared folder. */
function nextGate(tree: Oid, [check]: readonly Check[], asker: GateAsker, since: EpochMs): Want[] {
  if (check === undefined) return [];
  return [{ kind: "gate", key: gateWantKey(tree, check), tree, check, asked: [asker], since }];
}

export const gateWantKey = (tree: Oid, check: Check): string => `gate ${greenKey(tree, check)}`;

function openWants(state: RunState): Want[] {
  if (state.stopping === "kill") return [];
  return [...entries(state.indices.opening)].flatMap(([i]): Want[] => {
    const { open } = taskState(state, i);
    const { id: task } = taskAt(state.index, i);
    return open === null ? [] : [{ kind: "open", key: `open ${open.attempt}`, task, open }];
  });
}

function undoWants(state: RunState): Want[] {
  const last = state.undoAsked ? lastLanding(state) : null;
  if (last === null) return [];
  const { target, from, to } = last.landing;
  return [{ kind: "undo", key: `undo ${to.commit}`, tip: last.tip, target, from, to }];
}

/** Once a limit with a probe is over, somebody has to look; each look has a key of its own. */
function probeWants(state: RunState): Want[] {
  if (state.stopping !== null || state.paused || isAtRest(state)) return [];
  const list: Want[] = [];
  for (const [key, { until, probe, why }] of entries(state.accounts)) {
    if (!probe || until > state.clock) continue;
    list.push({ kind: "probe", key: `probe ${until} ${key}`, account: key as AccountKey, why });
  }
  return list;
}

/** Judge every candidate, advance the first when it is proven, build the next on top of the last. */
function queueWants(state: RunState): Want[] {
  const list: Want[] = [];
  for (const { result, missing, at, red } of state.candidates) {
    if (red !== null) continue;
    list.push(...nextGate(result.tree, missing, { kind: "candidate", commit: result.commit }, at));
  }
  const [head] = state.candidates;
  if (head !== undefined && head.missing.length === 0) {
    const { from, result: to, tasks } = head;
    list.push({ kind: "advance", key: `advance ${from} ${to.commit}`, from, to, tasks });
  }
  const mayBuild = state.candidates.length < state.policy.mergeAhead && mayBuildOn(state);
  const tasks = mayBuild ? nextBatch(state) : [];
  if (tasks.length === 0) return list;
  const from = chainEnd(state);
  return [...list, { kind: "merge", key: `merge ${from}`, from, tasks }];
}

/** The first in the queue that no candidate carries yet. */
function nextBatch(state: RunState): TaskAttempt[] {
  const batch: TaskAttempt[] = [];
  for (const [, i] of entries(state.indices.queue)) {
    if (batch.length >= state.batch) break;
    const { id } = taskAt(state.index, i);
    const { phase } = taskState(state, i);
    if (phase.kind !== "queued" || isInCandidate(state, id)) continue;
    batch.push({ task: id, attempt: phase.attempt });
  }
  return batch;
}

function landingWants(state: RunState): Want[] {
  const { landing, policy } = state;
  if (landing.kind === "landed" && isToBePublished(state) && !state.undoAsked) {
    const { to: result, from: onto } = landing; // built already
    return [{ kind: "publish", key: `publish ${result.commit}`, tip: state.tip.commit, result, onto }];
  }
  const result = landingRevision(state);
  if (result === null) return [];
  const missing = missingLandingChecks(state, result);
  if (missing.length > 0)
    return nextGate(result.tree, missing, { kind: "landing", commit: result.commit }, state.clock);
  if (staysOnIntegration(state)) return [];
  const unproven = stackGates(state);
  if (unproven !== null) return unproven;
  const onto = landing.kind === "built" ? landing.onto : null;
  const what = { tip: state.tip.commit, result, onto };
  if (!isProposed(policy.publish)) return [{ kind: "land", key: `land ${result.commit}`, ...what }];
  return isToBePublished(state) ? [{ kind: "publish", key: `publish ${result.commit}`, ...what }] : [];
}

/**
 * A stack of pull requests can be merged without the others, and each of its steps before those above it, so the plan's gates run for each
 * tree that has no verdict yet. Null: all have one.
 */
function stackGates(state: RunState): Want[] | null {
  const { landing } = state;
  if (landing.kind !== "built" || landing.stack === undefined) return null;
  const { stack, reds = [] } = landing;
  const unproven = stack.flatMap(({ result: { tree, commit }, result }) => {
    const missing = missingLandingChecks(state, result).filter(
      (check) => !reds.includes(greenKey(tree, check)),
    );
    return nextGate(tree, missing, { kind: "landing", commit }, state.clock);
  });
  return unproven.length === 0 ? null : unproven;
}

/** Everybody who waits for one verdict in one want, the oldest tree first. */
function joined(list: readonly Want[]): GateWant[] {
  const byKey = new Map<string, GateWant>();
  for (const want of list) {
    if (want.kind !== "gate") continue;
    const known = byKey.get(want.key);
    byKey.set(want.key, known === undefined ? want : { ...known, asked: [...known.asked, ...want.asked] });
  }
  return [...byKey.values()].sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1));
}
