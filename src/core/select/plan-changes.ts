import type { Plan, Task } from "../plan.ts";
import type { RunState } from "../run-state.ts";
import { count, listed } from "../text/figures.ts";

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
  const told: string[] = [];
  if (changed > 0) told.push(`${count(changed, "task")} changed`);
  if (added > 0) told.push(`${added} added`);
  if (removed > 0) told.push(`${removed} removed`);
  return told;
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
