import { type Graph, topologicalOrder } from "../graph.ts";

/** Which tasks the needs keep apart in time. */
export type Order = {
  /** False also where it is not known: for tasks in or behind a circle, or behind a need that was refused. */
  readonly mayRunTogether: (a: number, b: number) => boolean;
};

/** A row of bits a task; more would not fit into memory at a glance. */
export const MOST_ORDERED_TASKS = 20_000;

/** Who comes before whom, directly or not: one row of bits per task, filled in topological order. */
export function orderOf(graph: Graph, broken: ReadonlySet<number>): Order {
  const words = Math.ceil(graph.size / 32);
  const before = new Uint32Array(graph.size * words);
  const isKnown = new Uint8Array(graph.size);
  for (const task of topologicalOrder(graph)) {
    const needs = graph.needs[task] ?? [];
    for (const need of needs) {
      for (let w = 0; w < words; w += 1) {
        before[task * words + w] =
          (before[task * words + w] as number) | (before[need * words + w] as number);
      }
      before[task * words + (need >> 5)] =
        (before[task * words + (need >> 5)] as number) | (1 << (need & 31));
    }
    isKnown[task] = !broken.has(task) && needs.every((need) => isKnown[need] === 1) ? 1 : 0;
  }
  const isBefore = (a: number, b: number) =>
    ((before[b * words + (a >> 5)] as number) & (1 << (a & 31))) !== 0;
  return {
    mayRunTogether: (a, b) =>
      a !== b && isKnown[a] === 1 && isKnown[b] === 1 && !isBefore(a, b) && !isBefore(b, a),
  };
}
