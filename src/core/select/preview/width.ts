import { type Graph, topologicalOrder } from "../../graph.ts";
import { simulate } from "../../schedule.ts";

/** How many tasks can be under way at one moment, whatever their lengths. */
export type Widest = {
  readonly tasks: number;
  /** False for very large plans: then it is the peak of a run with equal lengths, and the true figure may be higher. */
  readonly exact: boolean;
};

/** Per task a bit for every task that waits for it, directly or through others. */
export type Reach = readonly Uint32Array[];

/** Above this the exact answer would cost seconds. */
const EXACT_UP_TO = 2_000;

/**
 * The largest set of tasks of which none waits for another. By Dilworth's theorem it is as large as the smallest number
 * of chains that cover the plan, and chains are links in a matching over "waits for": each link saves one chain.
 */
export function widestParallelism(graph: Graph, reach: Reach = reachOf(graph)): Widest {
  if (graph.size > EXACT_UP_TO) {
    const equal = new Array<number>(graph.size).fill(1);
    return { tasks: simulate(graph, equal, { slots: Number.POSITIVE_INFINITY }).busiest, exact: false };
  }
  return { tasks: graph.size - linksOfFewestChains(graph, reach), exact: true };
}

export function reachOf(graph: Graph): Reach {
  const words = Math.ceil(graph.size / 32);
  const reach = Array.from({ length: graph.size }, () => new Uint32Array(words));
  for (const index of topologicalOrder(graph).reverse()) {
    const own = reach[index] as Uint32Array;
    for (const dependent of graph.dependents[index] ?? []) {
      const behind = reach[dependent] as Uint32Array;
      for (let word = 0; word < words; word += 1)
        own[word] = (own[word] as number) | (behind[word] as number);
      addBit(own, dependent);
    }
  }
  return reach;
}

/** True when `later` waits for `earlier`, directly or through others. */
export function reaches(reach: Reach, earlier: number, later: number): boolean {
  return (((reach[earlier]?.[later >> 5] ?? 0) >>> (later & 31)) & 1) === 1;
}

/** Per task the needs that no other need implies: the edges worth drawing. */
export function directNeeds(graph: Graph, reach: Reach): number[][] {
  return graph.needs.map((needs) =>
    needs.filter((need) => !needs.some((other) => reaches(reach, need, other))),
  );
}

/** Size of a maximum matching by augmenting paths; the bit sets make one search cost n²/32. */
function linksOfFewestChains(graph: Graph, reach: Reach): number {
  const words = Math.ceil(graph.size / 32);
  const before = new Int32Array(graph.size).fill(-1); // per task the one in front of it in its chain
  const open = new Uint32Array(words).fill(0xffffffff); // tasks without one in front
  const unseen = new Uint32Array(words);
  let links = 0;
  for (const index of topologicalOrder(graph)) {
    unseen.fill(0xffffffff);
    if (linkFrom(index)) links += 1;
  }
  return links;

  function linkFrom(task: number): boolean {
    const next = reach[task] as Uint32Array;
    for (let word = 0; word < words; word += 1) {
      const free = (next[word] as number) & (open[word] as number);
      if (free !== 0) return link(task, word * 32 + lowestBit(free));
    }
    for (let word = 0; word < words; word += 1) {
      for (;;) {
        const candidates = (next[word] as number) & (unseen[word] as number);
        if (candidates === 0) break;
        const other = word * 32 + lowestBit(candidates);
        unseen[word] = (unseen[word] as number) & ~(1 << (other & 31));
        if (linkFrom(before[other] as number)) return link(task, other);
      }
    }
    return false;
  }

  function link(task: number, next: number): true {
    before[next] = task;
    open[next >> 5] = (open[next >> 5] as number) & ~(1 << (next & 31));
    return true;
  }
}

function addBit(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] as number) | (1 << (index & 31));
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
