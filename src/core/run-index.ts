import { type Graph, graphOf, longestRemaining } from "./graph.ts";
import type { AccountKey, GateKey, GroupName, PreparationKey, TaskId } from "./ids.ts";
import { type Gate, gateKey, isStep, type Plan, preparationKey, type Task } from "./plan.ts";
import { estimateLengths } from "./schedule.ts";

/**
 * What a plan fixes for as long as it is not revised: ids as indices, the order in which ready tasks start, and the
 * lanes. A lane is one combination of group and account: whether one of its ready tasks may start is decided for all
 * of them at once, so `wants` never walks a long list of tasks that a full group or a limited account holds back.
 */
export type RunIndex = {
  readonly plan: Plan;
  readonly graph: Graph;
  readonly indexOf: ReadonlyMap<TaskId, number>;
  /** By task: its place in the order of starting, 0 first. */
  readonly place: readonly number[];
  /** By task: which lane it waits in. */
  readonly laneOf: readonly number[];
  readonly lanes: readonly Lane[];
  /** By task: what must be green before it may merge. */
  readonly checks: readonly (readonly Check[])[];
  /** What must be green on the tree that lands. */
  readonly landingChecks: readonly Check[];
  /** What must be green on the base before anything starts: the plan's gates, prepared in every way that tasks ask for. */
  readonly baseChecks: readonly Check[];
  readonly limitOfGroup: ReadonlyMap<GroupName, number>;
};

export type Lane = { readonly group: GroupName | null; readonly account: AccountKey | null };

/** A gate as verdicts know it. */
export type Check = { readonly gate: Gate; readonly key: GateKey; readonly preparation: PreparationKey };

export function indexPlan(plan: Plan, accounts: { readonly [task: string]: AccountKey }): RunIndex {
  const graph = graphOf(plan.tasks);
  const checks = plan.tasks.map((task) => task.gates.map((gate) => checkOf(gate, task.prepare)));
  const landingChecks = plan.gates.map((gate) => checkOf(gate, plan.prepare));
  const { lanes, laneOf } = lanesOf(plan.tasks, accounts);
  return {
    plan,
    graph,
    indexOf: new Map(plan.tasks.map((task, index) => [task.id, index])),
    place: startingOrder(plan, graph),
    laneOf,
    lanes,
    checks,
    landingChecks,
    baseChecks: baseChecks(landingChecks, checks.flat()),
    limitOfGroup: new Map(plan.limits.map(({ group, max }) => [group, max])),
  };
}

export function taskAt(index: RunIndex, i: number): Task {
  const task = index.plan.tasks[i];
  if (task === undefined) throw new Error(`no task with index ${i}`);
  return task;
}

/** What the user ranks higher first, then the longest way to the end, then the order of the file. */
function startingOrder(plan: Plan, graph: Graph): number[] {
  const { tasks } = plan;
  const { lengths } = estimateLengths(tasks, (task) => isStep(plan, task));
  const remaining = longestRemaining(graph, lengths);
  const order = tasks
    .map((_, i) => i)
    .sort((a, b) => {
      const byPriority = (tasks[b] as Task).priority - (tasks[a] as Task).priority;
      return byPriority || (remaining[b] as number) - (remaining[a] as number) || a - b;
    });
  const place = new Array<number>(tasks.length);
  order.forEach((task, position) => {
    place[task] = position;
  });
  return place;
}

function lanesOf(tasks: readonly Task[], accounts: { readonly [task: string]: AccountKey }) {
  const lanes: Lane[] = [];
  const numbers = new Map<string, number>();
  const laneOf = tasks.map((task) => {
    const account = Object.hasOwn(accounts, task.id) ? (accounts[task.id] ?? null) : null;
    const name = JSON.stringify([task.group, account]);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, lanes.length);
    return lanes.push({ group: task.group, account }) - 1;
  });
  return { lanes, laneOf };
}

/** A task's own gates are not among them: they say when its work is done, and may well be red before. */
function baseChecks(landing: readonly Check[], ofTasks: readonly Check[]): Check[] {
  const ofPlan = new Set(landing.map(({ key }) => key));
  return eachOnce([...landing, ...ofTasks.filter(({ key }) => ofPlan.has(key))]);
}

/** Every check that any of the tasks asks for, once. */
export function joinChecks(
  { indexOf, checks }: RunIndex,
  tasks: readonly { readonly task: TaskId }[],
): Check[] {
  return eachOnce(tasks.flatMap(({ task }) => checks[indexOf.get(task) ?? -1] ?? []));
}

const eachOnce = (checks: readonly Check[]): Check[] => [
  ...new Map(checks.map((check) => [checkKey(check), check])).values(),
];

/** Names a check whatever tree it is about. */
export const checkKey = ({ key, preparation }: Pick<Check, "key" | "preparation">): string =>
  `${preparation} ${key}`;

function checkOf(gate: Gate, prepare: Task["prepare"]): Check {
  return { gate, key: gateKey(gate), preparation: preparationKey(prepare) };
}
