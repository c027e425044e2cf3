import { addBit, findReach, type Graph, hasBit, topologicalOrder } from "../graph.ts";

/** Which tasks the needs keep apart in time. */
export type Order = {
  /** False also where it is not known: for tasks in or behind a circle, or behind a need that was refused. */
  readonly mayRunTogether: (a: number, b: number) => boolean;
  readonly mayRunWithAny: (task: number, others: TaskSet) => boolean;
  readonly setOf: (tasks: Iterable<number>) => TaskSet;
};

/** One bit a task. */
export type TaskSet = Uint32Array;

/** A row of bits a task; more would not fit into memory at a glance. */
export const MOST_ORDERED_TASKS = 20_000;

/** One row of bits per task: who may run together with it. The first `count` nodes are tasks, others carry order only. */
export function orderOf(graph: Graph, count: number, broken: ReadonlySet<number>): Order {
  const setOf = (tasks: Iterable<number>) => {
    const set = new Uint32Array(Math.ceil(count / 32));
    for (const task of tasks) addBit(set, task);
    return set;
  };
  const sorted = topologicalOrder(graph);
  const known = knownNodes(graph, sorted, broken);
  const before = findReach(sorted, graph.needs, count);
  const after = findReach(sorted.toReversed(), graph.dependents, count);
  const tasks = setOf([...known].filter((node) => node < count));
  const together = Array.from({ length: count }, (_, task) => {
    if (!known.has(task)) return setOf([]);
    const [earlier, later] = [before[task] as TaskSet, after[task] as TaskSet];
    const row = tasks.map((word, w) => word & ~(earlier[w] as number) & ~(later[w] as number));
    row[task >> 5] = (row[task >> 5] as number) & ~(1 << (task & 31));
    return row;
  });
  return {
    mayRunTogether: (a, b) => hasBit(together[a] as TaskSet, b),
    mayRunWithAny: (task, others) =>
      others.some((word, w) => (word & ((together[task] as TaskSet)[w] as number)) !== 0),
    setOf,
  };
}

/** Nodes in or behind a circle are not sorted; what is behind a broken one is not known either. */
function knownNodes(graph: Graph, sorted: readonly number[], broken: ReadonlySet<number>): Set<number> {
  const known = new Set<number>();
  for (const node of sorted) {
    if (!broken.has(node) && (graph.needs[node] ?? []).every((need) => known.has(need))) known.add(node);
  }
  return known;
}
