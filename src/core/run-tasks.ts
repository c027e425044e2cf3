import type { EpochMs } from "./facts.ts";
import type { Oid, TaskId } from "./ids.ts";
import type { Task } from "./plan.ts";
import { type Check, checkKey, type RunIndex, taskAt } from "./run-index.ts";
import type { Indices, PhaseCounts, RunState, TaskPhase, TaskState } from "./run-state.ts";
import { entries, first, get, has, remove, type SortedMap, set } from "./sorted-map.ts";

/**
 * The one door to a task's state: `putTask` writes it and keeps every index in step, `advanceClock` moves tasks whose
 * wait is over to the ready ones. What each index means is `membership`; nothing else decides it.
 */
export function taskState(state: RunState, i: number): TaskState {
  const task = get(state.tasks, i);
  if (task === undefined) throw new Error(`no state for task ${i}`);
  return task;
}

/** Undefined where the plan has no such task. */
export function findTask(state: RunState, id: TaskId): TaskState | undefined {
  const i = state.index.indexOf.get(id);
  return i === undefined ? undefined : get(state.tasks, i);
}

/** In the order of the plan. */
export function listTasks(
  state: RunState,
): { readonly i: number; readonly task: Task; readonly of: TaskState }[] {
  return [...entries(state.tasks)].map(([i, of]) => ({ i, task: taskAt(state.index, i), of }));
}

/** Needs that are neither merged nor passed. */
export function findUnmetNeeds(state: RunState, i: number): number[] {
  const needs = state.index.graph.needs[i] ?? [];
  return needs.filter((need) => !isSatisfied(taskState(state, need).phase));
}

function putTask(state: RunState, i: number, after: TaskState): RunState {
  const before = taskState(state, i);
  if (before === after) return state;
  const left = leave(state.indices, i, before, state);
  return {
    ...state,
    tasks: set(state.tasks, i, after),
    indices: enter(left, i, after, state),
  };
}

export function changeTask(state: RunState, i: number, change: Partial<TaskState>): RunState {
  return putTask(state, i, { ...taskState(state, i), ...change });
}

/** Time only moves forward; tasks whose wait ends by then become ready. */
export function advanceClock(state: RunState, at: EpochMs): RunState {
  if (at <= state.clock) return state;
  let { ready, waits } = state.indices;
  for (let next = first(waits); next !== null && next.key <= at; next = first(waits)) {
    waits = remove(waits, next.key);
    for (const [i] of entries(next.value)) ready = addReady(ready, state.index, i);
  }
  return { ...state, clock: at, indices: { ...state.indices, ready, waits } };
}

/** All indices from nothing, after a new plan or a new clock, and as the measure of the incremental ones. */
export function rebuildIndices(state: RunState): RunState {
  let indices: Indices = { ...emptyIndices(), nextTurn: state.indices.nextTurn };
  for (const [i, task] of entries(state.tasks)) indices = enter(indices, i, task, state);
  return { ...state, indices };
}

export function emptyIndices(): Indices {
  return {
    ready: null,
    waits: null,
    queue: null,
    live: null,
    opening: null,
    liveAttempts: 0,
    groupUse: null,
    phases: {
      waiting: 0,
      active: 0,
      queued: 0,
      backoff: 0,
      parked: 0,
      held: 0,
      merged: 0,
      passed: 0,
      failed: 0,
      skipped: 0,
      cancelled: 0,
    },
    done: 0,
    nextTurn: 1,
  };
}

export const isSatisfied = (phase: TaskPhase): phase is Extract<TaskPhase, { kind: "merged" | "passed" }> =>
  phase.kind === "merged" || phase.kind === "passed";

/** Over, unless a person reopens it. */
export function isSettled(phase: TaskPhase): boolean {
  return (
    isSatisfied(phase) || phase.kind === "failed" || phase.kind === "skipped" || phase.kind === "cancelled"
  );
}

export function isSelected(state: RunState, task: TaskId): boolean {
  return state.selected === null || state.selected.has(task);
}

/** Selected, and still in the plan. */
export const isIncluded = (state: RunState, task: TaskId): boolean =>
  isSelected(state, task) && !state.gone.has(task);

/** When another attempt of the task may start: now, at a time, or not as things stand. */
function startableFrom(task: TaskState, race: number): EpochMs | null {
  if (task.unmet > 0 || task.open !== null) return null;
  // What an earlier attempt left is saved before the next one gets the worktree.
  if (task.phase.kind !== "active" && task.live.length > 0) return null;
  switch (task.phase.kind) {
    case "waiting":
      return Number.NEGATIVE_INFINITY;
    case "active":
      // A fix round goes on with one conversation; only fresh volleys race.
      return task.volley < race &&
        task.live.every((attempt) => attempt.continues === null && attempt.stop === null)
        ? Number.NEGATIVE_INFINITY
        : null;
    case "backoff":
    case "parked":
      return task.phase.until;
    default:
      return null;
  }
}

/** A person waits for the worktree. */
const isOpening = ({ open }: TaskState): boolean => open !== null && open.worktree === null;

/** Those without a green verdict for this tree. */
export const listMissingChecks = ({ greens }: RunState, tree: Oid, checks: readonly Check[]): Check[] =>
  checks.filter((check) => !has(greens, greenKey(tree, check)));

export const greenKey = (tree: Oid, check: Pick<Check, "key" | "preparation">): string =>
  `${tree} ${checkKey(check)}`;

type Membership = { readonly ready: boolean; readonly waitsUntil: EpochMs | null };

function membership(task: TaskState, race: number, clock: EpochMs): Membership {
  const from = startableFrom(task, race);
  if (from === null) return { ready: false, waitsUntil: null };
  return from <= clock ? { ready: true, waitsUntil: null } : { ready: false, waitsUntil: from };
}

function leave(indices: Indices, i: number, task: TaskState, state: RunState): Indices {
  const { index, clock } = state;
  const { ready, waitsUntil } = membership(task, taskAt(index, i).race, clock);
  return {
    ready: ready ? removeReady(indices.ready, index, i) : indices.ready,
    waits: waitsUntil === null ? indices.waits : removeWait(indices.waits, waitsUntil, i),
    queue: task.phase.kind === "queued" ? remove(indices.queue, task.phase.turn) : indices.queue,
    live: task.live.length > 0 ? remove(indices.live, i) : indices.live,
    opening: isOpening(task) ? remove(indices.opening, i) : indices.opening,
    liveAttempts: indices.liveAttempts - task.live.length,
    groupUse: addUse(indices.groupUse, taskAt(index, i).group, -task.live.length),
    phases: count(indices.phases, task.phase, -1),
    done: indices.done - doneBy(state, i, task),
    nextTurn: indices.nextTurn,
  };
}

function enter(indices: Indices, i: number, task: TaskState, state: RunState): Indices {
  const { index, clock } = state;
  const { ready, waitsUntil } = membership(task, taskAt(index, i).race, clock);
  const queued = task.phase.kind === "queued" ? task.phase.turn : null;
  return {
    ready: ready ? addReady(indices.ready, index, i) : indices.ready,
    waits: waitsUntil === null ? indices.waits : addWait(indices.waits, waitsUntil, i),
    queue: queued === null ? indices.queue : set(indices.queue, queued, i),
    live: task.live.length > 0 ? set(indices.live, i, true as const) : indices.live,
    opening: isOpening(task) ? set(indices.opening, i, true as const) : indices.opening,
    liveAttempts: indices.liveAttempts + task.live.length,
    groupUse: addUse(indices.groupUse, taskAt(index, i).group, task.live.length),
    phases: count(indices.phases, task.phase, 1),
    done: indices.done + doneBy(state, i, task),
    nextTurn: queued === null ? indices.nextTurn : Math.max(indices.nextTurn, queued + 1),
  };
}

function doneBy(state: RunState, i: number, { phase }: TaskState): 0 | 1 {
  return isSatisfied(phase) && isSelected(state, taskAt(state.index, i).id) ? 1 : 0;
}

function addReady(ready: Indices["ready"], index: RunIndex, i: number): Indices["ready"] {
  const lane = index.laneOf[i] as number;
  return set(ready, lane, set(get(ready, lane) ?? null, index.place[i] as number, i));
}

function removeReady(ready: Indices["ready"], index: RunIndex, i: number): Indices["ready"] {
  const lane = index.laneOf[i] as number;
  const rest = remove(get(ready, lane) ?? null, index.place[i] as number);
  return rest === null ? remove(ready, lane) : set(ready, lane, rest);
}

function addWait(waits: Indices["waits"], until: EpochMs, i: number): Indices["waits"] {
  return set(waits, until, set(get(waits, until) ?? null, i, true as const));
}

function removeWait(waits: Indices["waits"], until: EpochMs, i: number): Indices["waits"] {
  const rest = remove(get(waits, until) ?? null, i);
  return rest === null ? remove(waits, until) : set(waits, until, rest);
}

function addUse(
  use: SortedMap<string, number>,
  group: string | null,
  change: number,
): SortedMap<string, number> {
  if (group === null || change === 0) return use;
  const next = (get(use, group) ?? 0) + change;
  return next === 0 ? remove(use, group) : set(use, group, next);
}

function count(phases: PhaseCounts, phase: TaskPhase, change: number): PhaseCounts {
  return { ...phases, [phase.kind]: phases[phase.kind] + change };
}
