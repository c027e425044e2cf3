import fc from "fast-check";
import { expect, test } from "vitest";
import { gateOf, type TaskSketch, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptFailure } from "./failure.ts";
import { graphOf, longestRemaining } from "./graph.ts";
import type { AttemptId } from "./ids.ts";
import type { RunState, TaskState } from "./run-state.ts";
import { advanceClock } from "./run-tasks.ts";
import { entries, get, values } from "./sorted-map.ts";
import type { Want } from "./want.ts";
import { nextWake, wants } from "./wants.ts";

/**
 * The indices in the state against a naive derivation that walks all tasks and all needs, after every step of random runs.
 * Nothing here uses the functions that keep the indices.
 */
const gate = gateOf("npm test");

const sketches = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(40), { maxLength: 3 }),
      group: fc.constantFrom(undefined, "one", "two"),
      priority: fc.constantFrom(0, 0, 0, 3),
      race: fc.constantFrom(1, 1, 2),
      fixRounds: fc.constantFrom(0, 1),
      approve: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ needs, group, ...rest }, i): TaskSketch => {
      const before = i === 0 ? [] : needs.map((n) => `t${n % i}`);
      return { id: `t${i}`, needs: [...new Set(before)], ...(group === undefined ? {} : { group }), ...rest };
    }),
  );

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

/** One random thing that could happen next. */
function step(run: Scenario, die: number): void {
  const list = wants(run.state, run.now);
  const want = list[die % Math.max(1, list.length)];
  if (die % 11 === 0) run.later(die % 100_000);
  else if (die % 31 === 1) run.resume();
  else if (die % 37 === 2) askSomething(run, die);
  else if (want !== undefined) perform(run, want, die);
}

function askSomething(run: Scenario, die: number): void {
  const task = taskId(`t${die % run.state.index.plan.tasks.length}`);
  const kind = (["cancel", "retry", "approve", "open", "accept"] as const)[die % 5] ?? "retry";
  if (run.refusal({ kind, task }) === null) run.ask({ kind, task });
}

function perform(run: Scenario, want: Want, die: number): void {
  if (want.kind === "start") run.start(want.attempt);
  else if (want.kind === "attend") run.end(want.attempt, FAILURES[die % FAILURES.length] ?? null);
  else if (want.kind === "save") run.save(want.attempt);
  else if (want.kind === "merge") die % 5 === 0 ? run.conflict(["x"]) : run.build();
  else if (want.kind === "advance") run.advance();
  else if (want.kind === "probe") run.fact({ type: "account.probed", account: want.account, ok: true });
  else if (want.kind === "open") run.opened(want.open.attempt);
  else if (want.kind === "gate") judge(run, want, die);
}

function judge(run: Scenario, want: Extract<Want, { kind: "gate" }>, die: number): void {
  const { tree, check, asked } = want;
  const result = {
    verdict: die % 4 === 0 ? "red" : "green",
    how: "ran",
    tries: 1,
    durationMs: 1,
    summary: "",
    reference: null,
    output: null,
    failures: null,
    asked,
  } as const;
  run.fact({
    type: "gate.judged",
    tree,
    gate: check.key,
    preparation: check.preparation,
    name: "npm test",
    ...result,
  });
}

const FAILURES: readonly (AttemptFailure | null)[] = [
  null,
  null,
  null,
  { reason: "crash", detail: "" },
  { reason: "rate-limit", retryAfterMs: null, detail: "" },
  { reason: "network", detail: "" },
  { reason: "orphaned", detail: "" },
  { reason: "agent-said-no", detail: "" },
];

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
