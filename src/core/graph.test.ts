import fc from "fast-check";
import { expect, test } from "vitest";
import { criticalPath, graphOf, longestRemaining, topologicalOrder } from "./graph.ts";
import { planGraph, taskRanks } from "./select/preview/plan-graph.ts";

/** Each task needs some of the tasks before it. */
const dags = fc
  .array(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), { minLength: 1, maxLength: 25 })
  .map((rows) => rows.map((row, i) => ({ id: `t${i}`, needs: i === 0 ? [] : row.map((n) => `t${n % i}`) })));

test("every task comes after all that it needs", () => {
  fc.assert(
    fc.property(dags, (tasks) => {
      const graph = graphOf(tasks);
      const order = topologicalOrder(graph);
      const position = new Map(order.map((task, at) => [task, at]));
      expect(order).toHaveLength(tasks.length);
      graph.needs.forEach((needs, i) => {
        for (const need of needs) expect(position.get(need)).toBeLessThan(position.get(i) as number);
      });
    }),
  );
});

test("the critical path is a path, and as long as the longest way through the plan", () => {
  fc.assert(
    fc.property(
      dags,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 25, maxLength: 25 }),
      (tasks, lengths) => {
        const graph = graphOf(tasks);
        const path = criticalPath(graph, lengths);
        path.slice(1).forEach((task, n) => {
          expect(graph.needs[task]).toContain(path[n]);
        });
        const total = path.reduce((sum, task) => sum + (lengths[task] as number), 0);
        expect(total).toBe(Math.max(...allWays(graph.dependents, lengths)));
        expect(total).toBe(Math.max(...longestRemaining(graph, lengths)));
      },
    ),
  );
});

test("a rank is the number of steps from the start", () => {
  const tasks = [
    { id: "a", needs: [], wave: null },
    { id: "b", needs: ["a"], wave: null },
    { id: "c", needs: [], wave: null },
    { id: "d", needs: ["b", "c", "b"], wave: null },
  ];
  expect(taskRanks(planGraph(tasks))).toEqual([0, 1, 0, 2]);
  expect(graphOf(tasks).needs[3]).toEqual([1, 2]);
});

test("a task of a wave needs all tasks of the nearest lower wave, and what it names itself", () => {
  const tasks = [
    { id: "a", needs: [], wave: 1 },
    { id: "b", needs: [], wave: 1 },
    { id: "c", needs: ["a", "free"], wave: 5 },
    { id: "free", needs: [], wave: null },
    { id: "d", needs: [], wave: 7 },
  ];
  expect(graphOf(tasks).needs).toEqual([[], [], [0, 3, 1], [], [2]]);
  expect(taskRanks(planGraph(tasks))).toEqual([0, 0, 1, 0, 2]);
});

test("tasks in a cycle have no order", () => {
  const graph = graphOf([
    { id: "a", needs: ["b"] },
    { id: "b", needs: ["a"] },
    { id: "c", needs: [] },
  ]);
  expect(topologicalOrder(graph)).toEqual([2]);
});

function allWays(dependents: readonly (readonly number[])[], lengths: readonly number[]): number[] {
  const from = (i: number): number =>
    (lengths[i] as number) + Math.max(0, ...(dependents[i] ?? []).map((next) => from(next)));
  return dependents.map((_, i) => from(i));
}
