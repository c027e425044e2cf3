import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planOf } from "../../../../test/support/plans.ts";
import { criticalPath, graphOf } from "../../graph.ts";
import { indexPlan } from "../../run-index.ts";
import { estimateLengths, simulate } from "../../schedule.ts";
import {
  criticalTasks,
  type PlanGraph,
  planGraph,
  startingPriority,
  taskRanks,
  wavesOf,
  withBarriers,
} from "./plan-graph.ts";
import { reaches, reachOf } from "./width.ts";

describe("planGraph", () => {
  it("has a node for the barrier between two waves, whatever the numbers of the waves", () => {
    const tasks = [
      { id: "a", needs: [], wave: 7 },
      { id: "b", needs: ["free", "free"], wave: 3 },
      { id: "free", needs: [], wave: null },
    ];
    expect(planGraph(tasks)).toEqual({
      size: 4,
      tasks: 3,
      needs: [[3], [2], [], [1]],
      dependents: [[], [3], [1], [0]],
    });
    expect(wavesOf(tasks)).toEqual([
      { wave: 3, members: [1] },
      { wave: 7, members: [0] },
    ]);
  });

  it("costs the size of the waves, not their product", () => {
    const tasks = Array.from({ length: 100_000 }, (_, i) => ({
      id: String(i),
      needs: [],
      wave: i < 50_000 ? 1 : 2,
    }));
    const graph = planGraph(tasks);
    expect(graph.needs.reduce((sum, needs) => sum + needs.length, 0)).toBe(100_000);
    expect(taskRanks(graph).at(-1)).toBe(1);
  });

  it("says the same as the graph that a run uses", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const [mine, runs] = [planGraph(plan.tasks), graphOf(plan.tasks)];
        const { lengths } = estimateLengths(plan.tasks);
        expect(taskRanks(mine)).toEqual(taskRanks({ ...runs, tasks: runs.size }));
        expect(tasksReached(mine)).toEqual(tasksReached({ ...runs, tasks: runs.size }));
        const total = (path: number[]) => path.reduce((sum, task) => sum + lengths[task]!, 0);
        expect(total(criticalTasks(mine, lengths))).toBe(total(criticalPath(runs, lengths)));
      }),
      { numRuns: 200 },
    );
  });

  it("starts tasks in the order and at the moments of the graph that a run uses", () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 4 }), (plan, slots) => {
        const { place, graph: runs } = indexPlan(plan, {});
        const mine = planGraph(plan.tasks);
        const { lengths } = estimateLengths(plan.tasks);
        const priority = startingPriority(mine, lengths, plan.tasks);
        expect(priority.slice(0, mine.tasks).map((value) => 0 - value)).toEqual(place);
        const attempts = withBarriers(mine, new Array(mine.tasks).fill(1), 0);
        const all = withBarriers(mine, lengths, 0);
        const shown = simulate(mine, all, { slots, attempts, priority });
        const run = simulate(runs, lengths, { slots, priority: place.map((at) => -at) });
        expect(shown.start.slice(0, mine.tasks)).toEqual(run.start);
      }),
      { numRuns: 200 },
    );
  });
});

function tasksReached(graph: PlanGraph): boolean[][] {
  const reach = reachOf(graph);
  const all = Array.from({ length: graph.tasks }, (_, i) => i);
  return all.map((a) => all.map((b) => reach !== null && reaches(reach, a, b)));
}

/** Needs and waves that only look back, so there is no cycle. */
const plans = fc
  .integer({ min: 1, max: 10 })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, i) =>
        fc.record({
          id: fc.constant(`t${i}`),
          needs: fc.subarray(Array.from({ length: i }, (_, need) => `t${need}`)),
          wave: fc.constantFrom(null, Math.floor(i / 3)),
          priority: fc.integer({ min: -1, max: 1 }),
          estimate: fc.constantFrom(null, { timeMs: 1_000, costUsd: null }, { timeMs: 7_000, costUsd: null }),
        }),
      ),
    ),
  )
  .map((tasks) => planOf(tasks));
