import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "../../test/support/cpu.ts";
import { criticalPath, type Graph, graphOf, longestRemaining } from "./graph.ts";
import { estimateLengths, type ScheduleOptions, simulate, usefulSlots } from "./schedule.ts";

const chain = graphFrom([[], [0], [1]]);
const fan = graphFrom([[], [0], [0], [0], [1, 2, 3]]);

describe("simulate", () => {
  it("runs a chain one after the other, whatever the slots", () => {
    expect(simulate(chain, [2, 3, 4], { slots: 8 })).toEqual({
      start: [0, 2, 5],
      end: [2, 5, 9],
      further: new Map(),
      makespan: 9,
      busiest: 1,
      fullGroups: new Set(),
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

  it("starts nothing before its time, and gives its slot to others meanwhile", () => {
    const options = { slots: 1, notBefore: [5, 0, 9], priority: [3, 2, 1] };
    const { start, makespan } = simulate(graphFrom([[], [], [1]]), [2, 3, 1], options);
    expect([start, makespan]).toEqual([[5, 0, 9], 10]);
  });

  it("keeps a group within its limit and gives the slot to another task", () => {
    const graph = graphFrom([[], [], []]);
    const options = { slots: 2, groups: [0, 0, null], groupLimits: [1], priority: [3, 2, 1] };
    expect(simulate(graph, [4, 4, 1], options)).toMatchObject({
      start: [0, 4, 0],
      end: [4, 8, 1],
      makespan: 8,
      busiest: 2,
      fullGroups: new Set([0]),
    });
  });

  it("gives every attempt of a race a slot, and frees them all when the task ends", () => {
    const graph = graphFrom([[], [], []]);
    const options = { slots: 3, attempts: [3, 1, 1], priority: [3, 2, 1] };
    // As in a run, a slot goes to each ready task first; the race takes what is left, here the slot of the short one.
    expect(simulate(graph, [4, 1, 5], options)).toMatchObject({
      start: [0, 0, 0],
      further: new Map([[0, [1]]]),
      busiest: 3,
      makespan: 5,
    });
    // A race that has the slots keeps them from others.
    const late = { ...options, attempts: [3, 1, 1], priority: [3, 2, 1] };
    expect(simulate(graphFrom([[], [], [1]]), [4, 2, 1], late)).toMatchObject({
      start: [0, 0, 4],
      further: new Map([[0, [0, 2]]]),
    });
  });

  it("runs a race on fewer slots than it asks for", () => {
    expect(simulate(graphFrom([[]]), [4], { slots: 2, attempts: [5] })).toMatchObject({
      further: new Map([[0, [0]]]),
      busiest: 2,
    });
  });

  it("counts racing attempts in their group", () => {
    const options = { slots: 4, attempts: [3, 1], groups: [0, 0], groupLimits: [2], priority: [2, 1] };
    expect(simulate(graphFrom([[], []]), [4, 3], options)).toMatchObject({
      start: [0, 0],
      further: new Map([[0, [3]]]),
      busiest: 2,
    });
  });

  it("passes a barrier without a slot, at the moment when the last task before it ends", () => {
    // 0 and 1, a barrier 2, then 3; 4 stands beside them and has the lowest priority.
    const graph = graphFrom([[], [], [0, 1], [2], []]);
    const options = { slots: 2, attempts: [1, 1, 0, 1, 1], priority: [5, 4, 0, 3, 1] };
    expect(simulate(graph, [2, 3, 0, 4, 9], options)).toMatchObject({
      start: [0, 0, 3, 3, 2],
      end: [2, 3, 3, 7, 11],
      busiest: 2,
    });
  });

  it("copes with tasks of no length and with an empty plan", () => {
    expect(simulate(chain, [0, 0, 0], { slots: 1 }).makespan).toBe(0);
    expect(simulate(graphFrom([]), [], { slots: 1 })).toMatchObject({ start: [], end: [], makespan: 0 });
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

  it("answers for a large plan at once, though not by trying every number", () => {
    const { graph, lengths } = randomPlan(3, 20_000);
    const before = cpuMs();
    const useful = usefulSlots(graph, lengths);
    expect(cpuMs() - before).toBeLessThan(3_000);
    const at = (slots: number) => simulate(graph, lengths, { slots }).makespan;
    expect(at(useful)).toBeLessThanOrEqual(at(Number.POSITIVE_INFINITY) * 1.02);
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
  const { start, end, further } = schedule;
  const starts = (task: number) => [start[task]!, ...(further.get(task) ?? [])];
  const liveAt = (task: number, time: number) =>
    time < end[task]! ? starts(task).filter((from) => from <= time).length : 0;
  const wanted = (task: number) => Math.min(options.attempts?.[task] ?? 1, options.slots);
  const all = lengths.map((_, task) => task);
  for (const task of all) {
    if (end[task] !== start[task]! + lengths[task]!) return `${task} has the wrong length`;
    if (starts(task).length > wanted(task)) return `${task} has too many attempts`;
    const early = graph.needs[task]!.find((need) => start[task]! < end[need]!);
    if (early !== undefined) return `${task} starts before ${early} ends`;
  }
  for (const time of new Set(all.flatMap(starts))) {
    const used = sum(all.map((task) => liveAt(task, time)));
    if (used > options.slots) return `${used} attempts run at ${time}`;
    if (used > schedule.busiest) return `more run at ${time} than the busiest moment says`;
    const inGroup = (group: number | null) =>
      sum(all.filter((task) => options.groups?.[task] === group).map((task) => liveAt(task, time)));
    for (const [group, limit] of (options.groupLimits ?? []).entries()) {
      if (inGroup(group) > limit) return `group ${group} is over its limit at ${time}`;
    }
    const couldStart = all.filter((task) => {
      const group = options.groups?.[task] ?? null;
      const isReady = graph.needs[task]!.every((need) => end[need]! <= time) && start[task]! > time;
      const isRacing = liveAt(task, time) > 0 && liveAt(task, time) < wanted(task);
      return (isReady || isRacing) && (group === null || inGroup(group) < options.groupLimits![group]!);
    });
    if (used < options.slots && couldStart.length > 0) return `a slot is idle at ${time}`;
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
      attempts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: size, maxLength: size }),
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
