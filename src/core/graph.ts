/**
 * The DAG as indices: what every longer computation over a plan works on.
 * `needs[i]` and `dependents[i]` hold indices of tasks, without duplicates.
 */
export type Graph = {
  readonly size: number;
  readonly needs: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
};

/** What the graph of a plan is made of. A task of a wave also needs every task of the nearest lower wave. */
type Node = { readonly id: string; readonly needs: readonly string[]; readonly wave?: number | null };

export function graphOf(tasks: readonly Node[]): Graph {
  const indexOf = new Map(tasks.map((task, index) => [task.id, index]));
  const before = waveBefore(tasks);
  const needs = tasks.map((task) => {
    const barrier = before(task.wave ?? null);
    if (task.needs.length === 0) return barrier;
    const found = new Set<number>();
    for (const need of task.needs) {
      const index = indexOf.get(need);
      if (index !== undefined) found.add(index);
    }
    for (const index of barrier) found.add(index);
    return [...found];
  });
  const dependents: number[][] = tasks.map(() => []);
  needs.forEach((list, index) => {
    for (const need of list) dependents[need]?.push(index);
  });
  return { size: tasks.length, needs, dependents };
}

/** Gives the tasks of the nearest lower wave; the same list for all tasks of a wave, since waves may be large. */
function waveBefore(tasks: readonly Node[]): (wave: number | null) => readonly number[] {
  const members = new Map<number, number[]>();
  tasks.forEach(({ wave }, index) => {
    if (wave == null) return;
    const list = members.get(wave);
    if (list === undefined) members.set(wave, [index]);
    else list.push(index);
  });
  const waves = [...members.keys()].sort((a, b) => a - b);
  const lower = new Map(waves.map((wave, n) => [wave, members.get(waves[n - 1] ?? Number.NaN) ?? []]));
  return (wave) => (wave === null ? [] : (lower.get(wave) ?? []));
}

/** Every task after all that it needs; tasks in or behind a cycle are missing. Stable: file order among equals. */
export function topologicalOrder(graph: Graph): number[] {
  const unmet = graph.needs.map((list) => list.length);
  const order: number[] = [];
  for (let i = 0; i < graph.size; i += 1) if (unmet[i] === 0) order.push(i);
  for (let head = 0; head < order.length; head += 1) {
    for (const dependent of at(graph.dependents, order[head] as number)) {
      const left = (unmet[dependent] as number) - 1;
      unmet[dependent] = left;
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

/** Per task the longest way to the end of the plan, its own length included. */
export function longestRemaining(graph: Graph, lengths: readonly number[]): number[] {
  const remaining = new Array<number>(graph.size).fill(0);
  for (const index of topologicalOrder(graph).reverse()) {
    let behind = 0;
    for (const dependent of at(graph.dependents, index))
      behind = Math.max(behind, remaining[dependent] as number);
    remaining[index] = behind + (lengths[index] as number);
  }
  return remaining;
}

/** The tasks of one longest way through the plan, first to last. */
export function criticalPath(graph: Graph, lengths: readonly number[]): number[] {
  const remaining = longestRemaining(graph, lengths);
  const path: number[] = [];
  let candidates: readonly number[] = topologicalOrder(graph).filter((i) => at(graph.needs, i).length === 0);
  while (candidates.length > 0) {
    let best = candidates[0] as number;
    for (const index of candidates)
      if ((remaining[index] as number) > (remaining[best] as number)) best = index;
    path.push(best);
    candidates = at(graph.dependents, best);
  }
  return path;
}

function at(lists: readonly (readonly number[])[], index: number): readonly number[] {
  return lists[index] ?? [];
}
