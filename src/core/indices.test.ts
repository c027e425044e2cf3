import fc from "fast-check";
import { expect, test } from "vitest";
import { gate, sketches, step } from "../../test/support/random-run.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { graphOf, longestRemaining } from "./graph.ts";
import type { AttemptId } from "./ids.ts";
import type { RunState, TaskState } from "./run-state.ts";
import { advanceClock } from "./run-tasks.ts";
import { entries, get, values } from "./sorted-map.ts";
import { nextWake, wants } from "./wants.ts";

/**
 * The indices in the state against a naive derivation that walks all tasks and all needs, after every step of random runs.
 * Nothing here uses the functions that keep the indices.
 */
test("every index equals what a walk over all tasks gives, after every fact", () => {
  fc.assert(
    fc.property(sketches, fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 120 }), (tasks, dice) => {
      const plan = { gates: [gate], limits: { one: 1, two: 2 } };
      const run = new Scenario(tasks, { plan, policy: { slots: 3, mergeBatch: 2, mergeAhead: 2 } });
      for (const die of dice) {
        step(run, die);
        expect(fromIndices(run.state, run.now)).toEqual(naive(run.state, run.now));
      }
    }),
    { numRuns: 150 },
  );
});

function fromIndices(state: RunState, now: number) {
  const current = advanceClock(state, now);
  const { ready, queue, groupUse, phases, liveAttempts, done, opening } = current.indices;
  return {
    opening: [...entries(opening)].map(([i]) => i),
    ready: [...values(ready)].flatMap((lane) => [...values(lane)]).sort((a, b) => a - b),
    unmet: [...values(state.tasks)].map(({ unmet }) => unmet),
    queue: [...values(queue)],
    groupUse: Object.fromEntries(entries(groupUse)),
    phases: Object.fromEntries(Object.entries(phases).filter(([, n]) => n > 0)),
    liveAttempts,
    done,
    wake: nextWake(state, now),
    starts: wants(state, now).flatMap((want) => (want.kind === "start" ? [want.attempt] : [])),
  };
}

function naive(state: RunState, now: number): ReturnType<typeof fromIndices> {
  const { tasks } = state.index.plan;
  const states = tasks.map((_, i) => get(state.tasks, i) as TaskState);
  const time = Math.max(now, state.clock);
  const isDone = (i: number) => states[i]?.phase.kind === "merged" || states[i]?.phase.kind === "passed";
  const unmet = tasks.map(
    ({ needs }) => needs.filter((id) => !isDone(tasks.findIndex((task) => task.id === id))).length,
  );
  const ready = tasks.flatMap((task, i) =>
    isReady(states[i] as TaskState, unmet[i] ?? 0, task.race, time) ? [i] : [],
  );
  const turns = states.flatMap(({ phase }, i) => (phase.kind === "queued" ? [[phase.turn, i] as const] : []));
  const untils = [
    ...states.flatMap((task, i) => (unmet[i] === 0 && task.live.length === 0 ? untilOf(task) : [])),
    ...[...values(state.accounts)].map(({ until }) => until),
  ].filter((until) => until > time);
  return {
    opening: states.flatMap(({ open }, i) => (open !== null && open.worktree === null ? [i] : [])),
    ready,
    unmet,
    queue: turns.sort(([a], [b]) => a - b).map(([, i]) => i),
    groupUse: count(states.flatMap(({ live }, i) => live.flatMap(() => tasks[i]?.group ?? []))),
    phases: count(states.map(({ phase }) => phase.kind)),
    liveAttempts: states.flatMap(({ live }) => live).length,
    done: tasks.filter((_, i) => isDone(i)).length,
    wake: state.ended !== null || untils.length === 0 ? null : Math.min(...untils),
    starts: naiveStarts(state, states, ready, time),
  };
}

function isReady(task: TaskState, unmet: number, race: number, time: number): boolean {
  if (unmet > 0 || task.open !== null) return false;
  if (task.phase.kind === "active") {
    return (
      task.volley < race && task.live.every(({ stop, continues }) => stop === null && continues === null)
    );
  }
  if (task.live.length > 0) return false;
  return task.phase.kind === "waiting" || untilOf(task).some((until) => until <= time);
}

const untilOf = ({ phase }: TaskState): number[] =>
  phase.kind === "backoff" || phase.kind === "parked" ? [phase.until] : [];

function count(names: readonly string[]): { [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** All ready tasks in the starting order, taken one by one as long as slots, groups and accounts allow. */
function naiveStarts(
  state: RunState,
  states: readonly TaskState[],
  ready: readonly number[],
  time: number,
): AttemptId[] {
  const { tasks } = state.index.plan;
  const remaining = longestRemaining(
    graphOf(tasks),
    tasks.map(() => 1),
  );
  const [account] = [...values(state.accounts)];
  if (account !== undefined && (account.until > time || account.probe)) return [];
  const use = new Map<string | null, number>();
  for (const [i, { live }] of states.entries()) {
    const group = tasks[i]?.group ?? null;
    use.set(group, (use.get(group) ?? 0) + live.length);
  }
  let free = state.policy.slots - states.flatMap(({ live }) => live).length;
  const starts: AttemptId[] = [];
  const order = [...ready].sort(
    (a, b) =>
      (tasks[b]?.priority ?? 0) - (tasks[a]?.priority ?? 0) ||
      (remaining[b] ?? 0) - (remaining[a] ?? 0) ||
      a - b,
  );
  for (const i of order) {
    const group = tasks[i]?.group ?? null;
    const limit = state.index.plan.limits.find((one) => one.group === group)?.max ?? Number.POSITIVE_INFINITY;
    if (free <= 0 || (use.get(group) ?? 0) >= limit) continue;
    free -= 1;
    use.set(group, (use.get(group) ?? 0) + 1);
    starts.push(`${tasks[i]?.id}/${(states[i]?.started ?? 0) + 1}` as AttemptId);
  }
  return starts;
}
