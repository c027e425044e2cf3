import { type Graph, longestRemaining } from "./graph.ts";
import type { Estimate } from "./plan.ts";

/**
 * When each task would run: list scheduling, simulated. Whenever a slot is free, the ready task with the highest
 * priority takes it, by default the one with the longest remaining path. There are no barriers between ranks, and a
 * task whose group is full waits without keeping a slot. O((n + e) log n), so thousands of tasks cost milliseconds.
 *
 * The attempts of a race take a slot each, as in a run: the free slots of a moment go round the ready tasks, one
 * attempt each, and what is left goes round again. A race ends with its task, and gives back all its slots.
 */
export type ScheduleOptions = {
  /** How many attempts may run at once; Infinity asks what the graph itself allows. */
  readonly slots: number;
  /** Per task how many attempts start at once, else one. 0 is no task but a barrier: it takes neither slot nor time. */
  readonly attempts?: readonly number[];
  /** Per task the index of its group in `groupLimits`, or null. */
  readonly groups?: readonly (number | null)[];
  /** How many attempts of each group may run at once. */
  readonly groupLimits?: readonly number[];
  /** Per task when it may start at the earliest, however soon its needs are met. */
  readonly notBefore?: readonly number[];
  /** Higher starts first; among equals the one that comes first in the plan. */
  readonly priority?: readonly number[];
};

/** Per task its start and its end, from 0, in the unit of the lengths. */
export type Schedule = {
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Of tasks that race: when each attempt after the first starts. */
  readonly further: ReadonlyMap<number, readonly number[]>;
  /** When the last task ends. */
  readonly makespan: number;
  /** The most attempts that run at one moment. */
  readonly busiest: number;
  /** Groups, by their index, that made a ready task wait. */
  readonly fullGroups: ReadonlySet<number>;
};

/** How long each task is taken to be: in milliseconds, or in equal units of one task when the plan says nothing. */
export type Lengths = {
  readonly unit: "ms" | "task";
  readonly lengths: readonly number[];
  /** Whether the plan states it, or it is a step; the others are filled in with the median of those that are stated. */
  readonly known: readonly boolean[];
};

/** More slots that save less than this part of the time are not worth having. */
const WORTH_A_SLOT = 0.02;

export function simulate(graph: Graph, lengths: readonly number[], options: ScheduleOptions): Schedule {
  const unmet = graph.needs.map((needs) => needs.length);
  const wanted = (task: number) => Math.min(options.attempts?.[task] ?? 1, options.slots);
  const ready = readyTasks(options, options.priority ?? longestRemaining(graph, lengths));
  const times = attemptTimes(lengths);
  const { running } = times;
  const later = untilTheirTime(options.notBefore);
  let now = 0;
  let busiest = 0;

  for (let i = 0; i < graph.size; i += 1) if (unmet[i] === 0) reach(i);
  do {
    fillSlots();
    busiest = Math.max(busiest, times.used());
    // Everything that ends at this moment, before anything starts: a free slot goes to the best of all that are ready.
    now = later.earlier(times.nextEnd()) ?? now;
    for (const task of later.take(now)) reach(task);
    while (times.nextEnd() === now) {
      const task = running.pop() as number;
      ready.release(task, times.end(task));
      pass(task);
    }
  } while (running.size > 0 || ready.size() > 0 || later.size() > 0);
  return { ...times.schedule, makespan: now, busiest, fullGroups: ready.fullGroups };

  function fillSlots(): void {
    const racing: number[] = [];
    while (times.used() < options.slots) {
      const task = ready.take();
      if (task === undefined) {
        if (racing.length === 0) break;
        for (const again of racing.splice(0)) ready.add(again);
      } else if (times.start(task, now) < wanted(task)) {
        racing.push(task);
      }
    }
    for (const again of racing) ready.add(again);
  }

  /** All needs are met: a task is ready or has to wait for its time, a barrier has done its duty. */
  function reach(node: number): void {
    if (later.holds(node, now)) return;
    if (wanted(node) > 0) ready.add(node);
    else {
      times.passBarrier(node, now);
      pass(node);
    }
  }

  /** Between two barriers there is always a task, so this goes one deep. */
  function pass(node: number): void {
    for (const dependent of graph.dependents[node] ?? []) {
      const left = (unmet[dependent] as number) - 1;
      unmet[dependent] = left;
      if (left === 0) reach(dependent);
    }
  }
}

/** The tasks whose needs are met and whose time has not come. */
function untilTheirTime(notBefore: readonly number[] = []) {
  const earliest = (task: number) => notBefore[task] ?? 0;
  const waiting = new IndexHeap((a, b) => earliest(a) < earliest(b));
  const next = () => (waiting.first === undefined ? undefined : earliest(waiting.first));
  return {
    size: () => waiting.size,
    /** Whether it has to wait; then it does. */
    holds(task: number, now: number): boolean {
      if (earliest(task) <= now) return false;
      waiting.push(task);
      return true;
    },
    /** The next time that comes, unless that other moment is before it. */
    earlier: (other: number | undefined) => {
      const time = next();
      return time === undefined || (other !== undefined && other < time) ? other : time;
    },
    *take(now: number): Iterable<number> {
      for (let time = next(); time !== undefined && time <= now; time = next()) yield waiting.pop() as number;
    },
  };
}

/** Who runs, since when and until when. */
function attemptTimes(lengths: readonly number[]) {
  const start = new Array<number>(lengths.length).fill(0);
  const end = new Array<number>(lengths.length).fill(0);
  const live = new Array<number>(lengths.length).fill(0);
  const further = new Map<number, number[]>();
  const running = new IndexHeap((a, b) => (end[a] as number) < (end[b] as number));
  let used = 0;
  return {
    schedule: { start, end, further },
    running,
    used: () => used,
    nextEnd: () => (running.first === undefined ? undefined : end[running.first]),
    /** Starts one more attempt and gives how many of the task are live now. */
    start(task: number, now: number): number {
      used += 1;
      live[task] = (live[task] as number) + 1;
      if (live[task] === 1) {
        start[task] = now;
        end[task] = now + (lengths[task] as number);
        running.push(task);
      } else further.set(task, [...(further.get(task) ?? []), now]);
      return live[task];
    },
    /** Ends all attempts of a task and gives how many they were. */
    end(task: number): number {
      used -= live[task] as number;
      return live[task] as number;
    },
    passBarrier(node: number, now: number): void {
      start[node] = now;
      end[node] = now;
    },
  };
}

/** How many steps `usefulSlots` may take: a few tenths of a second. */
const WORK_FOR_SLOTS = 4_000_000;
const LEAST_TRIES = 8;

/**
 * A number of slots that is as good as any larger one, within 2 %: the smallest such number, unless the plan is so large
 * that trying them one by one would take long.
 */
export function usefulSlots(
  graph: Graph,
  lengths: readonly number[],
  options: Omit<ScheduleOptions, "slots"> = {},
): number {
  const priority = options.priority ?? longestRemaining(graph, lengths);
  const unlimited = simulate(graph, lengths, { ...options, priority, slots: Number.POSITIVE_INFINITY });
  const goodEnough = unlimited.makespan * (1 + WORTH_A_SLOT);
  const isEnough = (slots: number) =>
    simulate(graph, lengths, { ...options, priority, slots }).makespan <= goodEnough;
  const work = lengths.reduce((sum, length) => sum + length, 0);
  let low = Math.max(1, Math.ceil(work / goodEnough || 0));
  let high = Math.max(1, unlimited.busiest);
  const size = graph.needs.reduce((sum, needs) => sum + 1 + needs.length, 0);
  const tries = Math.max(LEAST_TRIES, Math.floor(WORK_FOR_SLOTS / Math.max(1, size)));
  // List scheduling may get slower with one more slot, so halving finds an enough that may not be the smallest.
  while (high - low > tries) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  while (low < high && !isEnough(low)) low += 1;
  return Math.min(low, high);
}

/** A task's own estimate, else the median of the stated ones, else all alike. Steps count for nothing: they are short. */
export function estimateLengths<T extends { readonly estimate: Estimate | null }>(
  tasks: readonly T[],
  isStep: (task: T) => boolean = () => false,
): Lengths {
  const stated = tasks.map((task) => task.estimate?.timeMs ?? null);
  const steps = tasks.map((task, i) => stated[i] === null && isStep(task));
  const known = stated.map((timeMs, i) => timeMs !== null || steps[i] === true);
  const middle = median(stated.filter((timeMs) => timeMs !== null));
  const lengths = stated.map((timeMs, i) => timeMs ?? (steps[i] ? 0 : (middle ?? 1)));
  return { unit: middle === null ? "task" : "ms", lengths, known };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const above = sorted[Math.floor(sorted.length / 2)];
  const below = sorted[Math.floor((sorted.length - 1) / 2)];
  return above === undefined || below === undefined ? null : (above + below) / 2;
}

/**
 * The tasks that wait for a slot. One whose group is full steps aside into the group's own queue; each end of a member
 * brings back the best of them, so a task is moved at most once per end. What ended while it waited for another attempt
 * is passed over.
 */
function readyTasks(options: ScheduleOptions, priority: readonly number[]) {
  const before = (a: number, b: number) =>
    priority[a] === priority[b] ? a < b : (priority[a] as number) > (priority[b] as number);
  const free = new IndexHeap(before);
  const room = [...(options.groupLimits ?? [])];
  const aside = room.map(() => new IndexHeap(before));
  const fullGroups = new Set<number>();
  const ended = new Set<number>();
  const groupOf = (task: number) => options.groups?.[task] ?? null;
  const bringBack = (group: number): boolean => {
    const best = aside[group]?.pop();
    if (best !== undefined) free.push(best);
    return best !== undefined;
  };
  return {
    fullGroups,
    size: () => free.size,
    add: (task: number): void => free.push(task),
    take(): number | undefined {
      for (;;) {
        const task = free.pop();
        if (task === undefined) return undefined;
        const group = groupOf(task);
        if (ended.has(task)) {
          if (group !== null) bringBack(group); // it held a place that another may have
        } else if (group === null) {
          return task;
        } else if ((room[group] as number) > 0) {
          room[group] = (room[group] as number) - 1;
          return task;
        } else {
          fullGroups.add(group);
          aside[group]?.push(task);
        }
      }
    },
    release(task: number, attempts: number): void {
      ended.add(task);
      const group = groupOf(task);
      if (group === null) return;
      room[group] = (room[group] as number) + attempts;
      for (let i = 0; i < attempts; i += 1) if (!bringBack(group)) return;
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
