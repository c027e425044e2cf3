import { type Graph, longestRemaining } from "./graph.ts";
import type { Estimate } from "./plan.ts";

/**
 * When each task would run: list scheduling, simulated. Whenever a slot is free, the ready task with the highest
 * priority takes it, by default the one with the longest remaining path. There are no barriers between ranks, and a
 * task whose group is full waits without keeping a slot. O((n + e) log n), so thousands of tasks cost milliseconds.
 */
export type ScheduleOptions = {
  /** How many tasks may run at once; Infinity asks what the graph itself allows. */
  readonly slots: number;
  /** Per task the index of its group in `groupLimits`, or null. */
  readonly groups?: readonly (number | null)[];
  readonly groupLimits?: readonly number[];
  /** Higher starts first; among equals the one that comes first in the plan. */
  readonly priority?: readonly number[];
};

/** Per task its start and its end, from 0, in the unit of the lengths. */
export type Schedule = {
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** When the last task ends. */
  readonly makespan: number;
  /** The most tasks that run at one moment. */
  readonly busiest: number;
};

/** How long each task is taken to be: in milliseconds, or in equal units of one task when the plan says nothing. */
export type Lengths = {
  readonly unit: "ms" | "task";
  readonly lengths: readonly number[];
  /** Whether the plan states it; the others are filled in with the median of those. */
  readonly known: readonly boolean[];
};

/** More slots that save less than this part of the time are not worth having. */
const WORTH_A_SLOT = 0.02;

export function simulate(graph: Graph, lengths: readonly number[], options: ScheduleOptions): Schedule {
  const start = new Array<number>(graph.size).fill(0);
  const end = new Array<number>(graph.size).fill(0);
  const unmet = graph.needs.map((needs) => needs.length);
  const ready = readyTasks(options, options.priority ?? longestRemaining(graph, lengths));
  const running = new IndexHeap((a, b) => (end[a] as number) < (end[b] as number));
  let now = 0;
  let busiest = 0;

  for (let i = 0; i < graph.size; i += 1) if (unmet[i] === 0) ready.add(i);
  do {
    while (running.size < options.slots) {
      const task = ready.take();
      if (task === undefined) break;
      start[task] = now;
      end[task] = now + (lengths[task] as number);
      running.push(task);
    }
    busiest = Math.max(busiest, running.size);
    // Everything that ends at this moment, before anything starts: a free slot goes to the best of all that are ready.
    now = running.size > 0 ? (end[running.first as number] as number) : now;
    while (running.first !== undefined && end[running.first] === now) finish(running.pop() as number);
  } while (running.size > 0 || ready.size() > 0);
  return { start, end, makespan: now, busiest };

  function finish(task: number): void {
    ready.release(task);
    for (const dependent of graph.dependents[task] ?? []) {
      const left = (unmet[dependent] as number) - 1;
      unmet[dependent] = left;
      if (left === 0) ready.add(dependent);
    }
  }
}

/** The smallest number of slots that is as good as any larger one, within 2 %. */
export function usefulSlots(
  graph: Graph,
  lengths: readonly number[],
  options: Omit<ScheduleOptions, "slots"> = {},
): number {
  const priority = options.priority ?? longestRemaining(graph, lengths);
  const unlimited = simulate(graph, lengths, { ...options, priority, slots: Number.POSITIVE_INFINITY });
  const goodEnough = unlimited.makespan * (1 + WORTH_A_SLOT);
  const work = lengths.reduce((sum, length) => sum + length, 0);
  let slots = Math.max(1, Math.ceil(work / goodEnough || 0));
  // Upwards one by one: list scheduling may get slower with one more slot, so halving could miss the smallest.
  while (slots < unlimited.busiest) {
    if (simulate(graph, lengths, { ...options, priority, slots }).makespan <= goodEnough) return slots;
    slots += 1;
  }
  return Math.max(1, Math.min(slots, unlimited.busiest));
}

/** A task's own estimate, else the median of the stated ones, else all alike. */
export function estimateLengths(tasks: readonly { readonly estimate: Estimate | null }[]): Lengths {
  const stated = tasks.map((task) => task.estimate?.timeMs ?? null);
  const known = stated.map((timeMs) => timeMs !== null);
  const middle = median(stated.filter((timeMs) => timeMs !== null));
  if (middle === null) return { unit: "task", lengths: tasks.map(() => 1), known };
  return { unit: "ms", lengths: stated.map((timeMs) => timeMs ?? middle), known };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const above = sorted[Math.floor(sorted.length / 2)];
  const below = sorted[Math.floor((sorted.length - 1) / 2)];
  return above === undefined || below === undefined ? null : (above + below) / 2;
}

/**
 * The tasks that wait for a slot. One whose group is full steps aside into the group's own queue; each end of a member
 * brings back the best of them, so a task is moved at most once per end.
 */
function readyTasks(options: ScheduleOptions, priority: readonly number[]) {
  const before = (a: number, b: number) =>
    priority[a] === priority[b] ? a < b : (priority[a] as number) > (priority[b] as number);
  const free = new IndexHeap(before);
  const room = [...(options.groupLimits ?? [])];
  const aside = room.map(() => new IndexHeap(before));
  const groupOf = (task: number) => options.groups?.[task] ?? null;
  return {
    size: () => free.size,
    add: (task: number) => free.push(task),
    take(): number | undefined {
      for (;;) {
        const task = free.pop();
        const group = task === undefined ? null : groupOf(task);
        if (task === undefined || group === null) return task;
        if ((room[group] as number) > 0) {
          room[group] = (room[group] as number) - 1;
          return task;
        }
        aside[group]?.push(task);
      }
    },
    release(task: number): void {
      const group = groupOf(task);
      if (group === null) return;
      room[group] = (room[group] as number) + 1;
      const next = aside[group]?.pop();
      if (next !== undefined) free.push(next);
    },
  };
}

/** A binary heap of indices; the first is the one that `before` puts in front of all others. */
class IndexHeap {
  readonly #items: number[] = [];
  readonly #before: (a: number, b: number) => boolean;

  constructor(before: (a: number, b: number) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): number | undefined {
    return this.#items[0];
  }

  push(item: number): void {
    const items = this.#items;
    let child = items.push(item) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#before(item, items[parent] as number)) break;
      items[child] = items[parent] as number;
      child = parent;
    }
    items[child] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) this.#sink(last as number);
    return first;
  }

  #sink(item: number): void {
    const items = this.#items;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child + 1 < items.length && this.#before(items[child + 1] as number, items[child] as number))
        child += 1;
      if (child >= items.length || !this.#before(items[child] as number, item)) break;
      items[parent] = items[child] as number;
      parent = child;
    }
    items[parent] = item;
  }
}
