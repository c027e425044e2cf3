import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { criticalPath, type Graph, graphOf, longestRemaining } from "./graph.ts";
import { estimateLengths, type ScheduleOptions, simulate, usefulSlots } from "./schedule.ts";

const chain = graphFrom([[], [0], [1]]);
const fan = graphFrom([[], [0], [0], [0], [1, 2, 3]]);

describe("simulate", () => {
  it("runs a chain one after the other, whatever the slots", () => {
    expect(simulate(chain, [2, 3, 4], { slots: 8 })).toEqual({
      start: [0, 2, 5],
      end: [2, 5, 9],
      makespan: 9,
      busiest: 1,
    });
  });

  it("starts the task with the longest remaining path first", () => {
    const graph = graphFrom([[], [], [1]]);
    expect(simulate(graph, [5, 1, 9], { slots: 1 }).start).toEqual([10, 0, 1]);
  });

  it("lets a stated priority win over the path", () => {
    const graph = graphFrom([[], [], [1]]);
    expect(simulate(graph, [5, 1, 9], { slots: 1, priority: [3, 2, 1] }).start).toEqual([0, 5, 6]);
  });

  it("keeps a group within its limit and gives the slot to another task", () => {
    const graph = graphFrom([[], [], []]);
    const options = { slots: 2, groups: [0, 0, null], groupLimits: [1], priority: [3, 2, 1] };
    expect(simulate(graph, [4, 4, 1], options)).toEqual({
      start: [0, 4, 0],
      end: [4, 8, 1],
      makespan: 8,
      busiest: 2,
    });
  });

  it("copes with tasks of no length and with an empty plan", () => {
    expect(simulate(chain, [0, 0, 0], { slots: 1 }).makespan).toBe(0);
    expect(simulate(graphFrom([]), [], { slots: 1 })).toEqual({
      start: [],
      end: [],
      makespan: 0,
      busiest: 0,
    });
  });

  it("is a valid and greedy schedule of any plan", () => {
    fc.assert(
      fc.property(scheduleInputs, ({ graph, lengths, options }) => {
        const schedule = simulate(graph, lengths, options);
        expect(violation(graph, lengths, options, schedule)).toBe(null);
      }),
      { numRuns: 300 },
    );
  });

  it("comes close to the lower bound on random plans, where the order of the file is far from it", () => {
    const ratios = { fileOrder: [] as number[], guessed: [] as number[], known: [] as number[] };
    for (let seed = 1; seed <= 21; seed += 1) {
      const { graph, lengths } = randomPlan(seed, 200);
      const bound = lowerBound(graph, lengths, 8);
      const fileOrder = lengths.map((_, task) => -task);
      const priority = longestRemaining(graph, new Array(200).fill(1));
      ratios.fileOrder.push(simulate(graph, lengths, { slots: 8, priority: fileOrder }).makespan / bound);
      ratios.guessed.push(simulate(graph, lengths, { slots: 8, priority }).makespan / bound);
      ratios.known.push(simulate(graph, lengths, { slots: 8 }).makespan / bound);
    }
    expect(middle(ratios.fileOrder)).toBeGreaterThan(1.15);
    expect(middle(ratios.guessed)).toBeLessThanOrEqual(1.04);
    expect(middle(ratios.known)).toBeLessThanOrEqual(1.01);
  });

  it("stays near linear: four times the plan costs far less than sixteen times the time", () => {
    const small = timeOf(2_000);
    const large = timeOf(8_000);
    expect(large / small).toBeLessThan(10);
  });
});

describe("usefulSlots", () => {
  it("is one for a chain and the width for equal tasks side by side", () => {
    expect(usefulSlots(chain, [1, 1, 1])).toBe(1);
    expect(usefulSlots(fan, [1, 1, 1, 1, 1])).toBe(3);
    expect(usefulSlots(graphFrom([]), [])).toBe(1);
  });

  it("does not count slots that save next to nothing", () => {
    const graph = graphFrom([[], [], []]);
    expect(usefulSlots(graph, [100, 2, 2])).toBe(2);
  });

  it("knows that a group limit makes further slots useless", () => {
    expect(usefulSlots(fan, [1, 1, 1, 1, 1], { groups: [null, 0, 0, 0, null], groupLimits: [1] })).toBe(1);
  });

  it("is the smallest number within 2 % of unlimited slots", () => {
    fc.assert(
      fc.property(scheduleInputs, ({ graph, lengths, options }) => {
        const { slots: _, ...rest } = options;
        const useful = usefulSlots(graph, lengths, rest);
        const at = (slots: number) => simulate(graph, lengths, { ...rest, slots }).makespan;
        const best = at(Number.POSITIVE_INFINITY);
        expect(at(useful)).toBeLessThanOrEqual(best * 1.02);
        for (let fewer = 1; fewer < useful; fewer += 1) expect(at(fewer)).toBeGreaterThan(best * 1.02);
      }),
      { numRuns: 100 },
    );
  });
});

describe("estimateLengths", () => {
  const estimate = (timeMs: number | null) => ({ estimate: { timeMs, costUsd: null } });

  it("fills unknown lengths with the median of the known ones and says which are known", () => {
    expect(estimateLengths([estimate(100), { estimate: null }, estimate(300), estimate(null)])).toEqual({
      unit: "ms",
      lengths: [100, 200, 300, 200],
      known: [true, false, true, false],
    });
  });

  it("counts every task as one when nothing is known", () => {
    expect(estimateLengths([{ estimate: null }, estimate(null)])).toEqual({
      unit: "task",
      lengths: [1, 1],
      known: [false, false],
    });
  });
});

/** The first rule that a schedule breaks, or null. */
function violation(
  graph: Graph,
  lengths: readonly number[],
  options: ScheduleOptions,
  schedule: ReturnType<typeof simulate>,
): string | null {
  const { start, end } = schedule;
  const runsAt = (task: number, time: number) => start[task]! <= time && time < end[task]!;
  const all = lengths.map((_, task) => task);
  for (const task of all) {
    if (end[task] !== start[task]! + lengths[task]!) return `${task} has the wrong length`;
    for (const need of graph.needs[task]!)
      if (start[task]! < end[need]!) return `${task} starts before ${need} ends`;
  }
  for (const time of new Set(start)) {
    const running = all.filter((task) => runsAt(task, time));
    if (running.length > options.slots) return `${running.length} tasks run at ${time}`;
    if (running.length > schedule.busiest) return `more run at ${time} than the busiest moment says`;
    const inGroup = (group: number | null) =>
      running.filter((task) => options.groups?.[task] === group).length;
    for (const [group, limit] of (options.groupLimits ?? []).entries()) {
      if (inGroup(group) > limit) return `group ${group} is over its limit at ${time}`;
    }
    const couldStart = all.filter((task) => {
      const group = options.groups?.[task] ?? null;
      const isReady = graph.needs[task]!.every((need) => end[need]! <= time) && start[task]! > time;
      return isReady && (group === null || inGroup(group) < options.groupLimits![group]!);
    });
    if (running.length < options.slots && couldStart.length > 0) return `a slot is idle at ${time}`;
  }
  if (schedule.makespan !== Math.max(0, ...end)) return "the makespan is not the last end";
  return schedule.makespan < lowerBound(graph, lengths, options.slots) ? "faster than possible" : null;
}

function lowerBound(graph: Graph, lengths: readonly number[], slots: number): number {
  const path = criticalPath(graph, lengths).reduce((sum, task) => sum + lengths[task]!, 0);
  return Math.max(path, lengths.reduce((sum, length) => sum + length, 0) / slots);
}

const scheduleInputs = fc.integer({ min: 0, max: 14 }).chain((size) =>
  fc.record({
    graph: fc
      .tuple(
        ...Array.from({ length: size }, (_, i) => fc.subarray(Array.from({ length: i }, (_, need) => need))),
      )
      .map(graphFrom),
    lengths: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size }),
    options: fc.record({
      slots: fc.integer({ min: 1, max: 6 }),
      groups: fc.array(fc.constantFrom(null, 0, 1), { minLength: size, maxLength: size }),
      groupLimits: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    }),
  }),
);

function graphFrom(needs: readonly (readonly number[])[]): Graph {
  return graphOf(needs.map((list, id) => ({ id: String(id), needs: list.map(String) })));
}

/** Durations are skewed as agents' are: most short, a few ten times longer. */
function randomPlan(seed: number, size: number): { graph: Graph; lengths: number[] } {
  const random = generator(seed);
  const needs = Array.from({ length: size }, (_, task) => {
    const count = Math.min(task, Math.floor(random() * 3));
    return Array.from({ length: count }, () => Math.max(0, task - 1 - Math.floor(random() * 10)));
  });
  return { graph: graphFrom(needs), lengths: needs.map(() => 50 + 450 * random() ** 2) };
}

function generator(seed: number): () => number {
  let state = seed * 2_654_435_769;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

function timeOf(size: number): number {
  const { graph, lengths } = randomPlan(7, size);
  const times = Array.from({ length: 7 }, () => {
    const before = performance.now();
    simulate(graph, lengths, { slots: 8 });
    return performance.now() - before;
  });
  return Math.min(...times);
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
