import { isChanged } from "../evolve/revise.ts";
import type { TaskId } from "../ids.ts";
import type { Plan, Task } from "../plan.ts";
import type { RunState } from "../run-state.ts";
import { isSatisfied, taskState } from "../run-tasks.ts";
import { count, cutList, listed } from "../text/figures.ts";

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

/** What an edited plan means for a run, one line each: `added: docs`, `redone: api`. Empty where it means nothing. */
export function listRevision(state: RunState, plan: Plan, redo: readonly TaskId[]): string[] {
  const ids = new Set<TaskId>(plan.tasks.map(({ id }) => id));
  const before = state.index.plan.tasks.map(({ id }) => id).filter((id) => !state.gone.has(id));
  const known = new Set<TaskId>(before);
  const phaseAt = (id: TaskId) => taskState(state, state.index.indexOf.get(id) ?? 0).phase;
  const redone = redo.filter((id) => known.has(id) && isSatisfied(phaseAt(id)));
  const changed = plan.tasks
    .filter((task) => known.has(task.id) && !redone.includes(task.id) && isChanged(state, task))
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
  return lines.flatMap(([word, tasks]) => (tasks.length === 0 ? [] : [`${word}: ${formatNames(tasks)}`]));
}

const formatNames = (tasks: readonly TaskId[]): string =>
  tasks.length > MOST_NAMES ? cutList(tasks, MOST_NAMES) : listed(tasks);
