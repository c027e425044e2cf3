import { addBit, findReach, type Graph, hasBit, topologicalOrder } from "../../graph.ts";
import { simulate } from "../../schedule.ts";
import { type PlanGraph, withBarriers } from "./plan-graph.ts";

/** How many tasks can be under way at one moment, whatever their lengths. */
export type Widest = {
  /** What both the needs and the groups allow. */
  readonly tasks: number;
  readonly byNeeds: number;
  /** What the limits of groups leave; as many as there are tasks where no group has more members than places. */
  readonly byGroups: number;
  /** False for very large plans: then `tasks` and `byNeeds` are reached with equal lengths, and may be higher. */
  readonly exact: boolean;
};

/** Per task the index of its group, or null; per group how many at once. */
export type GroupLimits = {
  readonly groups: readonly (number | null)[];
  readonly groupLimits: readonly number[];
};

/** Per node a bit for every node that waits for it, directly or through others. */
export type Reach = readonly Uint32Array[];

/** Steps of a bit set, 32 nodes each: two tenths of a second, and at most 64 MB. */
const WORK_FOR_REACH = 200_000_000;
const WORDS_FOR_REACH = 16_000_000;
/** The same for the search of chains. */
const WORK_FOR_CHAINS = 300_000_000;

export function widestParallelism(
  graph: PlanGraph,
  reach: Reach | null,
  limits: GroupLimits = { groups: [], groupLimits: [] },
): Widest {
  const byGroups = allowedByGroups(graph.tasks, limits);
  const links = reach === null ? null : linksOfFewestChains(graph, reach);
  if (links !== null) {
    const byNeeds = graph.tasks - links;
    return { tasks: Math.min(byNeeds, byGroups), byNeeds, byGroups, exact: true };
  }
  const byNeeds = busiestMoment(graph, { groups: [], groupLimits: [] });
  return { tasks: Math.min(byNeeds, busiestMoment(graph, limits)), byNeeds, byGroups, exact: false };
}

/** Null when the plan is so large that it would take too long. */
export function reachOf(graph: Graph): Reach | null {
  const words = Math.ceil(graph.size / 32);
  const edges = graph.needs.reduce((sum, needs) => sum + needs.length, 0);
  if (graph.size * words > WORDS_FOR_REACH || (graph.size + edges) * words > WORK_FOR_REACH) return null;
  return findReach(topologicalOrder(graph).reverse(), graph.dependents, graph.size);
}

/** True when `later` waits for `earlier`, directly or through others. */
export function reaches(reach: Reach, earlier: number, later: number): boolean {
  return hasBit(reach[earlier] as Uint32Array, later);
}

/** Per task the needs that it states and no other of them implies: the edges worth drawing. */
export function directNeeds(graph: PlanGraph, reach: Reach | null): number[][] {
  const stated = graph.needs.slice(0, graph.tasks).map((needs) => needs.filter((need) => need < graph.tasks));
  if (reach === null) return stated;
  const own = new Uint32Array(Math.ceil(graph.size / 32));
  return stated.map((needs) => {
    if (needs.length < 2) return needs;
    own.fill(0);
    for (const need of needs) addBit(own, need);
    return needs.filter((need) => firstInBoth(reach[need] as Uint32Array, own) === -1);
  });
}

/** Members beyond a group's limit cannot run with the others. */
function allowedByGroups(tasks: number, { groups, groupLimits }: GroupLimits): number {
  const members = groupLimits.map(() => 0);
  for (const group of groups) if (group !== null) members[group] = (members[group] as number) + 1;
  const waiting = groupLimits.map((limit, group) => Math.max(0, (members[group] as number) - limit));
  return tasks - waiting.reduce((sum, beyond) => sum + beyond, 0);
}

function busiestMoment(graph: PlanGraph, limits: GroupLimits): number {
  const lengths = withBarriers(graph, new Array<number>(graph.tasks).fill(1), 0);
  const slots = Number.POSITIVE_INFINITY;
  return simulate(graph, lengths, { ...limits, attempts: lengths, slots }).busiest;
}

/**
 * By Dilworth's theorem the largest set of tasks of which none waits for another is as large as the smallest number of
 * chains that cover the plan, and chains are links in a matching over "waits for": each link saves one chain. A maximum
 * matching by augmenting paths; the bit sets make one search cost n²/32. Null when all searches together cost too much.
 */
function linksOfFewestChains(graph: PlanGraph, reach: Reach): number | null {
  const everyTask = allTasks(graph.tasks);
  const open = everyTask.slice(); // tasks without one in front
  const unseen = everyTask.slice();
  const before = new Int32Array(graph.tasks).fill(-1); // per task the one in front of it in its chain
  let work = WORK_FOR_CHAINS;
  let links = 0;
  for (const index of topologicalOrder(graph)) {
    if (index >= graph.tasks) continue;
    unseen.set(everyTask);
    if (linkFrom(index)) links += 1;
    if (work < 0) return null;
  }
  return links;

  /** Tries to give the task a next one, by moving others to other next ones; not by recursion, chains may be long. */
  function linkFrom(first: number): boolean {
    const path = [first];
    const taken: number[] = []; // per task of the path but the last, the next one that it wants to take over
    let isNew = true;
    while (path.length > 0 && work >= 0) {
      const next = reach[path.at(-1) as number] as Uint32Array;
      const free = isNew ? find(next, open) : -1;
      if (free !== -1) {
        [...taken, free].forEach((other, place) => {
          before[other] = path[place] as number;
        });
        removeBit(open, free);
        return true;
      }
      const other = find(next, unseen);
      isNew = other !== -1;
      if (other === -1) {
        path.pop();
        taken.pop();
      } else {
        removeBit(unseen, other);
        taken.push(other);
        path.push(before[other] as number);
      }
    }
    return false;
  }

  function find(a: Uint32Array, b: Uint32Array): number {
    const found = firstInBoth(a, b);
    work -= found === -1 ? b.length : (found >> 5) + 1;
    return found;
  }
}

/** A bit for every task and none for barriers. */
function allTasks(tasks: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(tasks / 32)).fill(0xffffffff);
  const rest = tasks & 31;
  if (rest !== 0) bits[bits.length - 1] = (1 << rest) - 1;
  return bits;
}

/** The lowest bit that both have, or -1. */
function firstInBoth(a: Uint32Array, b: Uint32Array): number {
  for (let word = 0; word < b.length; word += 1) {
    const common = (a[word] as number) & (b[word] as number);
    if (common !== 0) return word * 32 + 31 - Math.clz32(common & -common);
  }
  return -1;
}

function removeBit(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] as number) & ~(1 << (index & 31));
}
