import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "../../../../test/support/cpu.ts";
import { type PlanGraph, planGraph } from "./plan-graph.ts";
import { directNeeds, type Reach, reaches, reachOf, widestParallelism } from "./width.ts";

describe("widestParallelism", () => {
  const byNeeds = (graph: PlanGraph) => {
    const { byNeeds: tasks, exact } = widestParallelism(graph, reachOf(graph));
    return { tasks, exact };
  };

  it("is one for a chain, and all for tasks without needs", () => {
    expect(byNeeds(graphFrom([[], [0], [1]]))).toEqual({ tasks: 1, exact: true });
    expect(byNeeds(graphFrom([[], [], []]))).toEqual({ tasks: 3, exact: true });
    expect(byNeeds(graphFrom([]))).toEqual({ tasks: 0, exact: true });
  });

  it("finds tasks of different ranks that can run together", () => {
    // 1 needs 0, 2 stands alone, 4 needs 3: one task of each strand, although no rank holds three.
    expect(byNeeds(graphFrom([[], [0], [], [2], [2]])).tasks).toBe(3);
  });

  it("is the largest set without an order, found by trying all sets", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(byNeeds(graph)).toEqual({ tasks: largestByTrying(graph), exact: true });
      }),
      { numRuns: 300 },
    );
  });

  it("is no more than the groups allow", () => {
    const graph = graphFrom([[], [], [], [], []]);
    const limits = { groups: [0, 0, 0, null, 1], groupLimits: [1, 4] };
    expect(widestParallelism(graph, reachOf(graph), limits)).toEqual({
      tasks: 3,
      byNeeds: 5,
      byGroups: 3,
      exact: true,
    });
    expect(widestParallelism(graph, null, limits)).toMatchObject({ tasks: 3, byNeeds: 5, exact: false });
  });

  it("answers for a plan of 2,000 tasks at once, and says so when a larger one is only estimated", () => {
    const wide = graphFrom(
      Array.from({ length: 2_000 }, (_, i) => (i < 50 ? [] : [i - 50, i - (1 + (i % 49))])),
    );
    const before = cpuMs();
    expect(byNeeds(wide)).toEqual({ tasks: 50, exact: true });
    expect(cpuMs() - before).toBeLessThan(2_000);
    expect(byNeeds(graphFrom(Array.from({ length: 30_000 }, () => [])))).toEqual({
      tasks: 30_000,
      exact: false,
    });
  });

  it("gives up in time on a plan that is hard to cover with chains", () => {
    const random = (i: number, k: number) => (Math.imul(i * 31 + k, 2_654_435_761) >>> 0) % 6_000;
    const hard = graphFrom(
      Array.from({ length: 12_000 }, (_, i) => (i < 6_000 ? [] : [random(i, 1), random(i, 2), random(i, 3)])),
    );
    const before = cpuMs();
    const { tasks, exact } = byNeeds(hard);
    expect(cpuMs() - before).toBeLessThan(4_000);
    expect(tasks).toBeGreaterThanOrEqual(exact ? 6_000 : 1);
  });
});

describe("reach", () => {
  it("knows who waits for whom through others", () => {
    const reach = allReach(graphFrom([[], [0], [1], []]));
    expect(reaches(reach, 0, 2)).toBe(true);
    expect(reaches(reach, 2, 0)).toBe(false);
    expect(reaches(reach, 0, 3)).toBe(false);
    expect(reaches(reach, 0, 0)).toBe(false);
  });

  it("leaves out needs that others imply, and nothing else", () => {
    const graph = graphFrom([[], [0], [1, 0], []]);
    expect(directNeeds(graph, reachOf(graph))).toEqual([[], [0], [1], []]);
    expect(directNeeds(graph, null)).toEqual([[], [0], [1, 0], []]);
    fc.assert(
      fc.property(sketches, (tasks) => {
        const whole = planGraph(tasks);
        const direct = directNeeds(whole, reachOf(whole));
        const reduced = planGraph(tasks.map((task, i) => ({ ...task, needs: direct[i]!.map(String) })));
        expect(allReach(reduced)).toEqual(allReach(whole));
      }),
      { numRuns: 200 },
    );
  });

  it("draws no need that only a wave makes", () => {
    const waves = planGraph([
      { id: "0", needs: [], wave: 1 },
      { id: "1", needs: [], wave: 1 },
      { id: "2", needs: ["0"], wave: 2 },
    ]);
    expect(directNeeds(waves, reachOf(waves))).toEqual([[], [], [0]]);
    expect(reaches(allReach(waves), 1, 2)).toBe(true);
  });
});

/** Needs and waves that only look back, so there is no cycle. */
const sketches = fc.integer({ min: 0, max: 10 }).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, i) =>
      fc.record({
        id: fc.constant(String(i)),
        needs: fc.subarray(Array.from({ length: i }, (_, need) => String(need))),
        wave: fc.constantFrom(null, Math.floor(i / 3)),
      }),
    ),
  ),
);
const graphs = sketches.map(planGraph);

function allReach(graph: PlanGraph): Reach {
  const reach = reachOf(graph);
  if (reach === null) throw new Error("the plan is too large");
  return reach;
}

function largestByTrying(graph: PlanGraph): number {
  const reach = allReach(graph);
  let largest = 0;
  for (let set = 0; set < 1 << graph.tasks; set += 1) {
    const tasks = Array.from({ length: graph.tasks }, (_, i) => i).filter((i) => (set >> i) & 1);
    if (tasks.length > largest && tasks.every((a) => tasks.every((b) => !reaches(reach, a, b))))
      largest = tasks.length;
  }
  return largest;
}

function graphFrom(needs: readonly (readonly number[])[]): PlanGraph {
  return planGraph(needs.map((list, id) => ({ id: String(id), needs: list.map(String), wave: null })));
}
