import type { Policy } from "../../src/core/facts.ts";
import { type AccountKey, accountKey, type TaskId } from "../../src/core/ids.ts";
import type { Gate, Plan, Task } from "../../src/core/plan.ts";
import { gateOf, hashOf, PLAIN_STYLE, planOf, type TaskSketch } from "../support/plans.ts";
import type { Random } from "./random.ts";

/**
 * Random plans. An `oracle` plan can only end well: whatever faults befall the run, every task succeeds in the end and
 * the final tree is known beforehand (I4). A `wild` plan may contain anything; in a `calm` one every first try succeeds.
 */
export type Kind = "oracle" | "wild" | "calm";

export type PlanCase = {
  readonly plan: Plan;
  readonly policy: Policy;
  readonly selected: readonly TaskId[] | null;
  readonly accounts: { readonly [task: string]: AccountKey };
};

export function randomPlan(random: Random, kind: Kind): PlanCase {
  const style = randomStyle(random, kind);
  const size = randomSize(random);
  const needs = style.isCrowd
    ? randomNeeds(random, Math.max(size, 6), "independent")
    : randomNeeds(random, size);
  const sketches = needs.map(
    (list, i): TaskSketch => ({ ...randomTask(random, style, i), needs: list.map(name) }),
  );
  const plan = planOf(sketches, { gates: style.gates, limits: style.limits, prepare: style.prepare });
  return {
    plan: { ...plan, tasks: plan.tasks.map((task) => ({ ...task, gates: gatesOf(task, style) })) },
    policy: randomPolicy(random, style),
    selected: random.chance(0.1) ? randomSelection(random, plan.tasks) : null,
    accounts: accountsOf(plan.tasks, style.accounts),
  };
}

/** For a revised plan: one more task in the style of the others. */
export function randomNewTask(random: Random, plan: Plan, id: string): Task {
  const needs = random.shuffle(plan.tasks).slice(0, random.int(0, 2));
  const [task] = planOf([{ id, needs: needs.map((need) => need.id as string), retries: random.int(0, 2) }], {
    gates: plan.gates,
    prepare: plan.prepare,
  }).tasks;
  // A need that is not in the little plan above is still one of the big one.
  return { ...task!, needs: needs.map((need) => need.id) };
}

/** By what a task is called, so that a plan with fewer tasks gives the rest the same accounts. */
function accountsOf(tasks: readonly Task[], count = 2): { [task: string]: AccountKey } {
  const entries = tasks
    .filter((task) => task.work.kind === "agent")
    .map((task): [string, AccountKey] => [task.id, accountNumber(digits(task.id) % count)]);
  return Object.fromEntries(entries);
}

export const accountNumber = (n: number): AccountKey =>
  accountKey({ vendor: "vendor", account: `account-${n}`, model: "model" });

const name = (i: number): string => `t${i}`;

const digits = (id: string): number => Number(id.replace(/\D/g, "")) || 0;

function randomSize(random: Random): number {
  const [low, high] = random.weighted([
    [55, [1, 5]],
    [33, [6, 12]],
    [11, [13, 36]],
    [1, [100, 200]],
  ] as const);
  return random.int(low, high);
}

type Style = {
  readonly kind: Kind;
  /** Many tasks at once and gates to pass: what fills the merge queue. */
  readonly isCrowd: boolean;
  readonly gates: readonly Gate[];
  readonly taskGates: readonly Gate[];
  readonly limits: { readonly [group: string]: number };
  readonly prepare: Plan["prepare"];
  readonly accounts: number;
};

function randomStyle(random: Random, kind: Kind): Style {
  const isCrowd = random.chance(0.25);
  const gates = random.weighted([
    [isCrowd ? 0 : 30, 0],
    [40, 1],
    [20, 2],
    [10, 3],
  ]);
  const groups = random.weighted([
    [50, 0],
    [30, 1],
    [20, 2],
  ]);
  return {
    kind,
    isCrowd,
    gates: Array.from({ length: gates }, (_, i) => randomGate(random, kind, `gate ${i}`)),
    taskGates: [randomGate(random, kind, "extra 0"), randomGate(random, kind, "extra 1")],
    limits: Object.fromEntries(Array.from({ length: groups }, (_, i) => [`group${i}`, random.int(1, 3)])),
    prepare: { copy: [".env"], include: [], envFiles: false, setup: [], teardown: [] },
    accounts: random.int(1, 3),
  };
}

/** A flaky gate has it in its name, where the world looks for it. */
function randomGate(random: Random, kind: Kind, line: string): Gate {
  const flaky = kind === "wild" && random.chance(0.08);
  return gateOf(flaky ? `flaky ${line}` : line, {
    retries: random.int(0, 2),
    slots: random.weighted([
      [70, null],
      [20, 1],
      [10, 2],
    ]),
  });
}

const SHAPES = ["chain", "fork-join", "layers", "independent", "sparse", "sparse", "diamonds"] as const;

/** By task the indices it needs, all of them lower: one of the usual shapes of plans. */
export function randomNeeds(
  random: Random,
  size: number,
  shape: (typeof SHAPES)[number] = random.pick(SHAPES),
): number[][] {
  const width = random.int(2, 6);
  return Array.from({ length: size }, (_, i) => {
    if (i === 0) return [];
    switch (shape) {
      case "chain":
        return [i - 1];
      case "fork-join":
        return i === size - 1 ? range(1, i) : [0];
      case "layers":
        return i < width ? [] : subset(random, range(i - (i % width) - width, i - (i % width)), 3);
      case "independent":
        return [];
      case "diamonds":
        return i % 3 === 0 ? [i - 1, i - 2].filter((j) => j >= 0) : [i - (i % 3)];
      case "sparse":
        return subset(random, range(Math.max(0, i - 12), i), random.int(0, 3));
      default:
        return shape satisfies never;
    }
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

const subset = (random: Random, list: readonly number[], most: number): number[] =>
  random.shuffle(list).slice(0, random.int(0, most));

function randomTask(random: Random, style: Style, i: number): Omit<TaskSketch, "needs"> {
  const groups = Object.keys(style.limits);
  const isOracle = style.kind === "oracle";
  const [low, high] = isOracle ? [12, 15] : [0, 3];
  const isCommand = random.chance(0.12);
  return {
    id: name(i),
    ...(isCommand ? { work: { kind: "command", run: { kind: "shell", line: `make ${name(i)}` } } } : {}),
    ...(groups.length > 0 && random.chance(0.4) ? { group: random.pick(groups) } : {}),
    access: random.chance(0.12) ? "read-only" : "write",
    prepare: random.chance(0.1)
      ? { copy: [], include: [], envFiles: false, setup: [], teardown: [] }
      : style.prepare,
    retries: random.int(low, high),
    fixRounds: random.int(0, 2),
    race: random.chance(0.12) ? random.int(2, 3) : 1,
    limits: { startMs: 60_000, idleMs: 600_000, totalMs: random.int(45, 90) * 60_000 },
    priority: random.chance(0.1) ? random.int(-2, 2) : 0,
    estimate: random.chance(0.3) ? { timeMs: random.int(1, 60) * 60_000, costUsd: null } : null,
    allowEmpty: random.chance(0.1),
    approve: random.chance(0.06),
  };
}

/** A task may add a gate of its own, and some checks of a read-only task are all its own. */
function gatesOf(task: Task, style: Style): readonly Gate[] {
  const extra = digits(task.id) % 7 === 3 ? [style.taskGates[digits(task.id) % 2]!] : [];
  return [...task.gates, ...extra];
}

function randomPolicy(random: Random, { kind, isCrowd }: Style): Policy {
  const isWild = kind === "wild";
  const few = isCrowd ? 0 : 20;
  return {
    slots: random.weighted([
      [few, 1],
      [few, 2],
      [20, random.int(3, 5)],
      [40, random.int(6, 16)],
    ]),
    failFast: isWild && random.chance(0.08),
    land: random.weighted([
      [70, "end"],
      [15, "partial"],
      [15, "never"],
    ]),
    budgetUsd: isWild && random.chance(0.1) ? random.int(1, 20) : null,
    mergeBatch: random.int(1, 4),
    redBase: "stop",
    keepWorktrees: false,
    landStyle: PLAIN_STYLE,
    publish: isWild && random.chance(0.3) ? "push" : "no",
    mergeAhead: random.int(1, 3),
  };
}

/** `--only`: a few tasks, and all that they need. */
function randomSelection(random: Random, tasks: readonly Task[]): TaskId[] {
  const chosen = new Set<TaskId>(
    random
      .shuffle(tasks)
      .slice(0, random.int(1, tasks.length))
      .map(({ id }) => id),
  );
  for (const task of [...tasks].reverse())
    if (chosen.has(task.id)) for (const need of task.needs) chosen.add(need);
  return tasks.map(({ id }) => id).filter((id) => chosen.has(id));
}

export const reportHash = hashOf("report");
