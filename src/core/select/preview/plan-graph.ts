import { criticalPath, type Graph, graphFrom, longestRemaining, topologicalOrder } from "../../graph.ts";
import { groupBy } from "../../group-by.ts";

/**
 * The plan as figures are worked out on it: a node a task, in the order of the file, then a node for every barrier
 * between two waves. As a node a barrier costs the size of its waves; as needs of every task it would cost their product.
 */
export type PlanGraph = Graph & {
  /** The nodes below this are tasks, the others barriers. */
  readonly tasks: number;
};

type Node = { readonly id: string; readonly needs: readonly string[]; readonly wave: number | null };

export function planGraph(tasks: readonly Node[]): PlanGraph {
  const indexOf = new Map(tasks.map(({ id }, index) => [id, index]));
  const stated = tasks.map(({ needs }) => [...new Set(needs.flatMap((need) => indexOf.get(need) ?? []))]);
  const waves = wavesOf(tasks);
  const barriers = waves.slice(0, -1).map(({ members }) => members);
  const needs = [...stated, ...barriers.map((members) => [...members])];
  waves.slice(1).forEach(({ members }, index) => {
    for (const task of members) needs[task]?.push(tasks.length + index);
  });
  return { ...graphFrom(needs), tasks: tasks.length };
}

/** The waves of a plan, lowest first, with the indices of their tasks. */
export function wavesOf(
  tasks: readonly { readonly wave: number | null }[],
): { readonly wave: number; readonly members: readonly number[] }[] {
  const byWave = groupBy(tasks.keys(), (i) => tasks[i]?.wave ?? null);
  return [...byWave].map(([wave, members]) => ({ wave, members })).sort((a, b) => a.wave - b.wave);
}

/** Per task the number of tasks in front of it on the longest way there; barriers do not count. */
export function taskRanks(graph: PlanGraph): number[] {
  const rank = new Array<number>(graph.size).fill(0);
  for (const index of topologicalOrder(graph)) {
    const behind = (rank[index] as number) + (index < graph.tasks ? 1 : 0);
    for (const dependent of graph.dependents[index] ?? []) {
      rank[dependent] = Math.max(rank[dependent] as number, behind);
    }
  }
  return rank.slice(0, graph.tasks);
}

/** The tasks of one longest way through the plan, first to last. */
export function criticalTasks(graph: PlanGraph, lengths: readonly number[]): number[] {
  return criticalPath(graph, withBarriers(graph, lengths, 0)).filter((index) => index < graph.tasks);
}

/**
 * Per node how early it starts among those that are ready, as in a run (core/run-index.ts): what the user ranks higher
 * first, then the longest way to the end, then the order of the file.
 */
export function startingPriority(
  graph: PlanGraph,
  lengths: readonly number[],
  tasks: readonly { readonly priority: number }[],
): number[] {
  const remaining = longestRemaining(graph, withBarriers(graph, lengths, 0));
  const order = tasks
    .map(({ priority }, task) => ({ task, priority, way: remaining[task] as number }))
    .sort((a, b) => b.priority - a.priority || b.way - a.way || a.task - b.task);
  const place = new Array<number>(graph.size).fill(0);
  order.forEach(({ task }, position) => {
    place[task] = -position;
  });
  return place;
}

/** The values of tasks, with this one for every barrier. */
export function withBarriers<T>(graph: PlanGraph, ofTasks: readonly T[], ofBarrier: T): T[] {
  return [...ofTasks, ...new Array<T>(graph.size - graph.tasks).fill(ofBarrier)];
}
