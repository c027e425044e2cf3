import { isBaseInDoubt } from "./base-check.ts";
import { needsTip } from "./evolve/open.ts";
import type { Revision } from "./facts.ts";
import { type AccountKey, type AttemptId, attemptId, type GroupName } from "./ids.ts";
import { mayStartMore } from "./landing.ts";
import { findTargetBase, isLimited, limitOfAccount } from "./queries.ts";
import { taskAt } from "./run-index.ts";
import type { RunState, TaskState } from "./run-state.ts";
import { taskState } from "./run-tasks.ts";
import { entries, get } from "./sorted-map.ts";
import type { Want } from "./want.ts";

/**
 * List scheduling: free slots go to the ready tasks that are first in the starting order, whatever their rank, unless
 * their group is full or their account limited. Walks lanes, not tasks: the cost is slots times lanes.
 */
export function startWants(state: RunState): Want[] {
  if (state.stopping !== null || state.paused || state.held !== null || !mayStartMore(state)) return [];
  if (isBaseInDoubt(state)) return [];
  const list: Want[] = [];
  const room = new Map<GroupName, number>();
  let lanes = openLanes(state);
  for (let free = state.policy.slots - state.indices.liveAttempts; free > 0; free -= 1) {
    lanes = lanes.filter(({ group }) => group === null || (room.get(group) ?? roomInGroup(state, group)) > 0);
    const lane = firstInOrder(lanes);
    if (lane === null) break;
    list.push(startOf(state, lane.task));
    // Of a limited account one attempt is let through.
    if (lane.isTrial) lanes = lanes.filter(({ account }) => account !== lane.account);
    if (lane.group !== null)
      room.set(lane.group, (room.get(lane.group) ?? roomInGroup(state, lane.group)) - 1);
    if (!toNext(lane)) lanes = lanes.filter((other) => other !== lane);
  }
  return list;
}

/** `start` and `attend` are one effect, seen before and after its first fact. */
export const attemptWantKey = (attempt: AttemptId): string => `attempt ${attempt}`;

/** One attempt a task at a time, also in a race: numbers are given in order, and the next is wanted after its fact. */
function startOf(state: RunState, i: number): Want {
  const task = taskState(state, i);
  const { id } = taskAt(state.index, i);
  const attempt = attemptId(id, task.started + 1);
  return {
    kind: "start",
    key: attemptWantKey(attempt),
    task: id,
    attempt,
    base: (task.fix && findTargetBase(state, id)) ?? baseOf(state, task),
    fix: task.fix,
    brief: task.brief,
  };
}

/** A fix goes on where the worktree was cut, unless it is the newer tip that has to be fitted in. */
function baseOf({ tip }: RunState, { fix, past }: TaskState): Revision {
  if (fix === null || fix.because === null || needsTip(fix.because)) return tip;
  return past.find(({ id }) => id === fix.attempt)?.base ?? tip;
}

/** A lane with the ready task that is next in it. */
type OpenLane = {
  readonly group: GroupName | null;
  readonly account: AccountKey | null;
  readonly isTrial: boolean;
  readonly rest: Iterator<readonly [number, number]>;
  place: number;
  task: number;
};

function openLanes(state: RunState): OpenLane[] {
  const open: OpenLane[] = [];
  for (const [number, ready] of entries(state.indices.ready)) {
    const { group = null, account = null } = state.index.lanes[number] ?? {};
    const limit = limitOfAccount(state, account);
    const isTrial = isLimited(limit, state.clock) && limit.trial === "due";
    if (isLimited(limit, state.clock) && !isTrial) continue;
    const lane: OpenLane = { group, account, isTrial, rest: entries(ready), place: 0, task: 0 };
    if (toNext(lane)) open.push(lane);
  }
  return open;
}

function toNext(lane: OpenLane): boolean {
  const next = lane.rest.next();
  if (next.done) return false;
  [lane.place, lane.task] = next.value;
  return true;
}

function firstInOrder(lanes: readonly OpenLane[]): OpenLane | null {
  let best: OpenLane | null = null;
  for (const lane of lanes) if (best === null || lane.place < best.place) best = lane;
  return best;
}

function roomInGroup(state: RunState, group: GroupName): number {
  const limit = state.index.limitOfGroup.get(group) ?? Number.POSITIVE_INFINITY;
  return limit - (get(state.indices.groupUse, group as string) ?? 0);
}
