import { isChanged } from "../evolve/revise.ts";
import type { TaskId } from "../ids.ts";
import type { Gate, Plan, Preparation, Task } from "../plan.ts";
import type { RunState } from "../run-state.ts";
import { isSatisfied, taskState } from "../run-tasks.ts";
import { count, cutList, dollars, duration, listed } from "../text/figures.ts";

/** What two runs were told differently, as clauses: what explains that they went differently. */
export function planChanges(a: RunState, b: RunState): string[] {
  const [from, to] = [a.index.plan, b.index.plan];
  return [
    from.source.path === to.source.path ? "same plan" : `${to.source.path} instead of ${from.source.path}`,
    ...taskChanges(from, to),
    ...agentChanges(from, to),
    ...(a.policy.slots === b.policy.slots ? [] : [`${b.policy.slots} slots instead of ${a.policy.slots}`]),
    ...(a.base.commit === b.base.commit ? [] : ["another base"]),
  ];
}

function taskChanges({ tasks: from }: Plan, { tasks: to }: Plan): string[] {
  const before = new Map(from.map((task) => [task.id, wordsOf(task)]));
  const after = new Set(to.map(({ id }) => id));
  const known = to.filter(({ id }) => before.has(id));
  const changed = known.filter((task) => before.get(task.id) !== wordsOf(task)).length;
  const added = to.length - known.length;
  const removed = from.filter(({ id }) => !after.has(id)).length;
  return [
    ...(changed > 0 ? [`${count(changed, "task")} changed`] : []),
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
}

/** All but who does it, which is told apart. */
function wordsOf({ work, ...task }: Task): string {
  const rest = work.kind === "agent" ? { ...work, agent: null } : work;
  return JSON.stringify([rest, task]);
}

function agentChanges(from: Plan, to: Plan): string[] {
  const [before, after] = [agentsOf(from), agentsOf(to)];
  const added = [...after].filter((agent) => !before.has(agent));
  const removed = [...before].filter((agent) => !after.has(agent));
  const told = [
    ...(added.length > 0 ? [`${listed(added)} added`] : []),
    ...(removed.length > 0 ? [`${listed(removed)} removed`] : []),
  ];
  if (told.length > 0) return [`agents: ${told.join(", ")}`];
  const moved = movedTasks(from, to);
  return moved === 0 ? [] : [`${count(moved, "task")} with another agent or model`];
}

const agentsOf = ({ tasks }: Plan): Set<string> =>
  new Set(tasks.flatMap(({ work }) => (work.kind === "agent" ? [work.agent.use] : [])));

function movedTasks({ tasks: from }: Plan, { tasks: to }: Plan): number {
  const agentOf = ({ work }: Task) => JSON.stringify(work.kind === "agent" ? work.agent : null);
  const before = new Map(from.map((task) => [task.id, agentOf(task)]));
  return to.filter((task) => before.has(task.id) && before.get(task.id) !== agentOf(task)).length;
}

const MOST_NAMES = 8;

/** What an edited plan means for a run, one line each: `added: docs`, `redone: api`, `setup: none → npm ci`. Empty where it means nothing. */
export function listRevision(state: RunState, plan: Plan, redo: readonly TaskId[]): string[] {
  const ids = new Set<TaskId>(plan.tasks.map(({ id }) => id));
  const before = state.index.plan.tasks.map(({ id }) => id).filter((id) => !state.gone.has(id));
  const known = new Set<TaskId>(before);
  const phaseAt = (id: TaskId) => taskState(state, state.index.indexOf.get(id) ?? 0).phase;
  const redone = redo.filter((id) => known.has(id) && isSatisfied(phaseAt(id)));
  const changed = plan.tasks
    .filter(
      (task) =>
        known.has(task.id) &&
        !redone.includes(task.id) &&
        isChanged(state, withoutShared(task, state.index.plan, plan)),
    )
    .map(({ id }) => id);
  const left = before.filter((id) => !ids.has(id));
  const isMerged = (id: TaskId) => phaseAt(id).kind === "merged";
  const lines = [
    ["added", [...ids].filter((id) => !known.has(id))],
    ["dropped", left.filter((id) => !isMerged(id))],
    ["not in the plan, merged work stays", left.filter(isMerged)],
    ["changed", changed],
    ["redone", redone],
  ] as const;
  return [
    ...lines.flatMap(([word, tasks]) => (tasks.length === 0 ? [] : [`${word}: ${formatNames(tasks)}`])),
    ...listSettingChanges(state.index.plan, plan),
  ];
}

/** The task with the gates and the preparation of the old plan in place of those it takes from the new one: those are named apart. */
function withoutShared(task: Task, before: Plan, now: Plan): Task {
  const isShared = isSame(task.gates.slice(0, now.gates.length), now.gates);
  return {
    ...task,
    gates: isShared ? [...before.gates, ...task.gates.slice(now.gates.length)] : task.gates,
    prepare: isSame(task.prepare, now.prepare) ? before.prepare : task.prepare,
  };
}

const formatNames = (tasks: readonly TaskId[]): string =>
  tasks.length > MOST_NAMES ? cutList(tasks, MOST_NAMES) : listed(tasks);

/** A setting that configuration may give, as it is written there. */
type Setting<Of> = readonly [name: string, format: (of: Of) => string];

const TASK_SETTINGS: readonly Setting<Task>[] = [
  ["retries", ({ retries }) => String(retries)],
  ["fix-rounds", ({ fixRounds }) => String(fixRounds)],
  ["timeout", ({ limits }) => duration(limits.totalMs)],
  ["idle-timeout", ({ limits }) => duration(limits.idleMs)],
  ["start-timeout", ({ limits }) => duration(limits.startMs)],
];

const RUN_SETTINGS: readonly Setting<Plan>[] = [
  ["concurrency", ({ slots }) => (slots === null ? "default" : String(slots))],
  ["budget", ({ budgetUsd }) => (budgetUsd === null ? "none" : dollars(budgetUsd))],
  ["land", ({ land }) => land],
  ["publish", ({ publish }) => publish],
  ["land as", ({ landStyle }) => landStyle.as],
  [
    "sign",
    ({ landStyle }) => (landStyle.sign === null ? "as git is configured" : formatValue(landStyle.sign)),
  ],
  ["signoff", ({ landStyle }) => formatValue(landStyle.signoff)],
  ["message", ({ landStyle }) => (landStyle.message === null ? "default" : formatValue([landStyle.message]))],
  ["author", ({ landStyle }) => landStyle.author],
  ["co-author", ({ landStyle }) => formatValue(landStyle.coAuthor ?? false)],
];

/** `retries: 0 → 3`, one line for each setting and pair of values. */
export function listReadAgain(before: Plan, now: Plan): string[] {
  const byId = new Map(now.tasks.map((task) => [task.id, task]));
  const tasks = TASK_SETTINGS.flatMap(([name, format]) =>
    before.tasks.flatMap((task) => describe(name, format(task), format(byId.get(task.id) ?? task))),
  );
  const run = RUN_SETTINGS.flatMap(([name, format]) => describe(name, format(before), format(now)));
  return [...new Set([...tasks, ...run])];
}

const describe = (name: string, before: string, now: string): string[] =>
  before === now ? [] : [`${name}: ${before} → ${now}`];

const PREPARATION = [
  ["setup", "setup"],
  ["copy", "copy"],
  ["include", "files to copy"],
  ["envFiles", "env-files"],
  ["teardown", "teardown"],
] as const;

/** `setup: npm ci → none`, one line for each setting that differs. */
export function listPreparationChanges(before: Preparation, now: Preparation): string[] {
  return PREPARATION.flatMap(([key, name]) =>
    isSame(before[key], now[key]) ? [] : [`${name}: ${formatValue(before[key])} → ${formatValue(now[key])}`],
  );
}

/** Keys of a plan besides tasks and preparation, as they are written in a plan. */
const KEYS = [
  ...(["context", "limits", "hooks", "notify", "land", "enforce", "ports", "prices", "webhooks"] as const),
  ["budgetUsd", "budget"],
  ["slots", "concurrency"],
  ["keepAwake", "keep-awake"],
  ["warmCache", "warm-cache"],
  "sandbox",
  ["landStyle", "land"],
  ["publish", "land"],
  ["saveMaxBytes", "save"],
  ["mergeMessage", "merge-message"],
  ["commitMessage", "commit-message"],
  ...(["folder", "isolation"] as const),
] as const;

/** What two versions of a plan set differently for all tasks, one line each. */
function listSettingChanges(before: Plan, now: Plan): string[] {
  const keys = KEYS.map((key) => (typeof key === "string" ? ([key, key] as const) : key));
  const others = keys.flatMap(([key, name]) => (isSame(before[key], now[key]) ? [] : [name]));
  return [
    ...listPreparationChanges(before.prepare, now.prepare),
    ...listGateChanges(before.gates, now.gates),
    ...(others.length === 0 ? [] : [`changed for the run: ${listed([...new Set(others)])}`]),
  ];
}

function listGateChanges(before: readonly Gate[], now: readonly Gate[]): string[] {
  if (isSame(before, now)) return [];
  const names = (gates: readonly Gate[]) => formatValue(gates.map(({ name }) => name));
  if (names(before) !== names(now)) return [`gates: ${names(before)} → ${names(now)}`];
  const changed = now.filter((gate, n) => !isSame(gate, before[n]));
  return [`gates changed: ${formatValue(changed.map(({ name }) => name))}`];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const MOST_LETTERS = 60;

function formatValue(value: boolean | readonly unknown[]): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value.length === 0) return "none";
  const text = value.map(formatEntry).join(", ");
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

/** A path, a pair of paths, or a command. */
function formatEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const { from, to, line, argv } = entry as {
    readonly [key in "from" | "to" | "line"]?: string;
  } & { readonly argv?: readonly string[] };
  if (from !== undefined) return `${from} as ${to}`;
  return line ?? argv?.join(" ") ?? JSON.stringify(entry);
}
