import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Graph, graphOf } from "../../graph.ts";
import { directNeeds, reaches, reachOf, widestParallelism } from "./width.ts";

describe("widestParallelism", () => {
  it("is one for a chain, and all for tasks without needs", () => {
    expect(widestParallelism(graphFrom([[], [0], [1]]))).toEqual({ tasks: 1, exact: true });
    expect(widestParallelism(graphFrom([[], [], []]))).toEqual({ tasks: 3, exact: true });
    expect(widestParallelism(graphFrom([]))).toEqual({ tasks: 0, exact: true });
  });

  it("finds tasks of different ranks that can run together", () => {
    // 1 needs 0, 2 stands alone, 4 needs 3: one task of each strand, although no rank holds three.
    expect(widestParallelism(graphFrom([[], [0], [], [2], [2]])).tasks).toBe(3);
  });

  it("is the largest set without an order, found by trying all sets", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(widestParallelism(graph)).toEqual({ tasks: largestByTrying(graph), exact: true });
      }),
      { numRuns: 200 },
    );
  });

  it("answers for a plan of 2,000 tasks at once, and says so when a larger one is only estimated", () => {
    const wide = graphFrom(
      Array.from({ length: 2_000 }, (_, i) => (i < 50 ? [] : [i - 50, i - (1 + (i % 49))])),
    );
    const before = performance.now();
    expect(widestParallelism(wide)).toEqual({ tasks: 50, exact: true });
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(widestParallelism(graphFrom(Array.from({ length: 2_001 }, () => [])))).toEqual({
      tasks: 2_001,
      exact: false,
    });
  });
});

describe("reach", () => {
  it("knows who waits for whom through others", () => {
    const reach = reachOf(graphFrom([[], [0], [1], []]));
    expect(reaches(reach, 0, 2)).toBe(true);
    expect(reaches(reach, 2, 0)).toBe(false);
    expect(reaches(reach, 0, 3)).toBe(false);
    expect(reaches(reach, 0, 0)).toBe(false);
  });

  it("leaves out needs that others imply, and nothing else", () => {
    const graph = graphFrom([[], [0], [1, 0], []]);
    expect(directNeeds(graph, reachOf(graph))).toEqual([[], [0], [1], []]);
    fc.assert(
      fc.property(graphs, (any) => {
        const reduced = graphFrom(directNeeds(any, reachOf(any)));
        expect(reachOf(reduced)).toEqual(reachOf(any));
      }),
      { numRuns: 100 },
    );
  });
});

const graphs = fc
  .integer({ min: 0, max: 10 })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, i) => fc.subarray(Array.from({ length: i }, (_, need) => need))),
    ),
  )
  .map(graphFrom);

function largestByTrying(graph: Graph): number {
  const reach = reachOf(graph);
  let largest = 0;
  for (let set = 0; set < 1 << graph.size; set += 1) {
    const tasks = Array.from({ length: graph.size }, (_, i) => i).filter((i) => (set >> i) & 1);
    if (tasks.length > largest && tasks.every((a) => tasks.every((b) => !reaches(reach, a, b))))
      largest = tasks.length;
  }
  return largest;
}

function graphFrom(needs: readonly (readonly number[])[]): Graph {
  return graphOf(needs.map((list, id) => ({ id: String(id), needs: list.map(String) })));
}
