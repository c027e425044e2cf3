import { groupBy } from "./group-by.ts";

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
    return [...new Set([...task.needs.flatMap((need) => indexOf.get(need) ?? []), ...barrier])];
  });
  return graphFrom(needs);
}

export function graphFrom(needs: Graph["needs"]): Graph {
  const dependents: number[][] = needs.map(() => []);
  needs.forEach((list, index) => {
    for (const need of list) dependents[need]?.push(index);
  });
  return { size: needs.length, needs, dependents };
}

/**
 * Per node a bit for each of the first `count` nodes that its edges lead to, near or far; `sorted` has the ends of edges first.
 */
export function findReach(sorted: readonly number[], edges: Graph["needs"], count: number): Uint32Array[] {
  const words = Math.ceil(count / 32);
  const rows = edges.map(() => new Uint32Array(words));
  for (const node of sorted) {
    const row = rows[node] as Uint32Array;
    for (const end of edges[node] ?? []) {
      const further = rows[end] as Uint32Array;
      for (let word = 0; word < words; word += 1)
        row[word] = (row[word] as number) | (further[word] as number);
      addBit(row, end);
    }
  }
  return rows;
}

/** A node beyond the end of the bits has none. */
export function addBit(bits: Uint32Array, index: number): void {
  const word = index >> 5;
  if (word < bits.length) bits[word] = (bits[word] as number) | (1 << (index & 31));
}

export function hasBit(bits: Uint32Array, index: number): boolean {
  return (((bits[index >> 5] ?? 0) >>> (index & 31)) & 1) === 1;
}

/** Gives the tasks of the nearest lower wave; the same list for all tasks of a wave, since waves may be large. */
function waveBefore(tasks: readonly Node[]): (wave: number | null) => readonly number[] {
  const members = groupBy(tasks.keys(), (i) => tasks[i]?.wave ?? null);
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
