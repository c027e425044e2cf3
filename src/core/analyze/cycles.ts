import type { TaskDraft } from "../draft.ts";
import type { Graph } from "../graph.ts";
import type { SourceRange } from "../source.ts";
import type { ReportFinding } from "./findings.ts";
import type { Needs } from "./needs.ts";

/** One finding for each knot of tasks that wait for one another, with one circle through its first task. */
export function checkCycles(
  tasks: readonly TaskDraft[],
  { graph, places }: Needs,
  report: ReportFinding,
): void {
  for (const circle of findCycles(graph)) {
    const cycle = circle.filter((node) => node < tasks.length); // without the barriers between waves
    const first = cycle[0] as number;
    const related = cycle.slice(0, MOST_PLACES).map((from, i) => {
      const to = cycle[i + 1] ?? first;
      return describeEdge(tasks, { from, to, at: places[from]?.get(to) });
    });
    const path = [...cycle, first].map((index) => tasks[index]?.id.value ?? "");
    report("cycle", { path }, (tasks[first] as TaskDraft).id.at, { related });
  }
}

/** `at` is missing where a wave asks for it and no need. */
type Edge = { readonly from: number; readonly to: number; readonly at: SourceRange | undefined };

/** Every knot (strongly connected component of two tasks or more) once, as a shortest circle through its first task. */
export function findCycles(graph: Graph): number[][] {
  return knots(graph).map((knot) => circleIn(graph, knot));
}

/** Tarjan's algorithm with a stack of its own: a chain may be as long as the plan. */
function knots({ size, needs }: Graph): number[][] {
  const found: number[][] = [];
  const walk: Walk = {
    entered: new Int32Array(size),
    lowest: new Int32Array(size),
    next: new Int32Array(size),
    isOpen: new Uint8Array(size),
    open: [],
    count: 0,
  };
  for (let root = 0; root < size; root += 1) {
    const path = walk.entered[root] === 0 ? [root] : [];
    while (path.length > 0) {
      const task = path.at(-1) as number;
      if (walk.entered[task] === 0) enter(walk, task);
      const need = needs[task]?.[walk.next[task] as number];
      if (need === undefined) {
        path.pop();
        const knot = leave(walk, task);
        if (knot.length > 1) found.push(knot.sort((a, b) => a - b));
      } else if (walk.entered[need] === 0) path.push(need);
      else lookBack(walk, task, need);
    }
  }
  return found.sort((a, b) => (a[0] as number) - (b[0] as number));
}

/** When each task was entered, the earliest open task it reaches, which of its needs comes next, and what is open. */
type Walk = {
  readonly entered: Int32Array;
  readonly lowest: Int32Array;
  readonly next: Int32Array;
  readonly isOpen: Uint8Array;
  readonly open: number[];
  count: number;
};

function enter(walk: Walk, task: number): void {
  walk.count += 1;
  walk.entered[task] = walk.count;
  walk.lowest[task] = walk.count;
  walk.isOpen[task] = 1;
  walk.open.push(task);
}

function lookBack(walk: Walk, task: number, need: number): void {
  walk.next[task] = (walk.next[task] as number) + 1;
  if (walk.isOpen[need] !== 1) return;
  walk.lowest[task] = Math.min(walk.lowest[task] as number, walk.lowest[need] as number);
}

/** Closes the knot that begins with the task, if one does. */
function leave(walk: Walk, task: number): number[] {
  if (walk.lowest[task] !== walk.entered[task]) return [];
  const knot = walk.open.splice(walk.open.lastIndexOf(task));
  for (const member of knot) walk.isOpen[member] = 0;
  return knot;
}

function circleIn({ needs }: Graph, knot: readonly number[]): number[] {
  const start = knot[0] as number;
  const members = new Set(knot);
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const task of queue) {
    for (const need of needs[task] ?? []) {
      if (need === start) return wayTo(task, start, cameFrom);
      if (!members.has(need) || cameFrom.has(need)) continue;
      cameFrom.set(need, task);
      queue.push(need);
    }
  }
  throw new Error("a knot without a circle");
}

function wayTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) as number;
    way.push(at);
  }
  return way.reverse();
}

/** A longer circle can be cut as well at one of these. */
const MOST_PLACES = 50;

function describeEdge(tasks: readonly TaskDraft[], { from, to, at }: Edge) {
  const [task, need] = [tasks[from] as TaskDraft, tasks[to] as TaskDraft];
  const names = { task: task.id.value, need: need.id.value };
  if (at !== undefined) return { ...names, at };
  const waves: [number, number] = [task.wave?.value ?? 0, need.wave?.value ?? 0];
  return { ...names, waves, at: task.wave?.at ?? task.id.at };
}
