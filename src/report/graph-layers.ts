/**
 * Who stands in which column and in which order: column is rank, an edge over several columns passes through a way
 * point in each, and sweeps by barycentre and swaps of neighbours reduce the crossings. The result depends on the plan
 * alone, so a graph of the same plan always looks the same.
 */
type LayerItem =
  | { readonly kind: "node"; readonly node: number }
  /** Edges from one task share their way points, so a task that many need does not fill the picture with lines. */
  | { readonly kind: "way"; readonly from: number };

export type Layers = {
  /** Per column its items from top to bottom, as indices into `items`. */
  readonly columns: readonly (readonly number[])[];
  readonly items: readonly LayerItem[];
  /** Between neighbouring columns, left to right, as indices into `items`; without duplicates. */
  readonly links: readonly (readonly [number, number])[];
  /** Per edge, in the order given: the items it passes, both ends included. */
  readonly routes: readonly (readonly number[])[];
};

type Edge = { readonly from: number; readonly to: number };

const SWEEPS = 12;
/** What sweeping may cost, in links looked at; a larger graph gets fewer sweeps. */
const WORK_FOR_SWEEPS = 1_000_000;
/** Beyond this many way points long edges go straight: nobody could follow them anyway. */
const MOST_WAY_POINTS = 100_000;

/**
 * `column` gives each node's column, counted from 0. Nodes of one cluster stand together in each column; a node may be in
 * none.
 */
export function layersOf(
  column: readonly number[],
  edges: readonly Edge[],
  clusters: readonly (string | null)[] = [],
): Layers {
  const columns: number[][] = Array.from({ length: highest(column, -1) + 1 }, () => []);
  const items: LayerItem[] = column.map((_, node) => ({ kind: "node", node }));
  column.forEach((c, node) => {
    columns[c]?.push(node);
  });
  const wayPoints = new Map<number, number>();
  const wayPoint = (from: number, c: number): number => {
    const key = from * columns.length + c;
    const known = wayPoints.get(key);
    if (known !== undefined) return known;
    const item = items.push({ kind: "way", from }) - 1;
    columns[c]?.push(item);
    wayPoints.set(key, item);
    return item;
  };
  const span = ({ from, to }: Edge) => (column[to] as number) - (column[from] as number);
  const isTooMuch = edges.reduce((sum, edge) => sum + span(edge) - 1, 0) > MOST_WAY_POINTS;
  const routes = edges.map((edge) => {
    if (isTooMuch || span(edge) < 2) return [edge.from, edge.to];
    const between = range((column[edge.from] as number) + 1, column[edge.to] as number);
    return [edge.from, ...between.map((c) => wayPoint(edge.from, c)), edge.to];
  });
  const links = uniqueLinks(isTooMuch ? routes.filter((_, i) => span(edges[i] as Edge) < 2) : routes);
  const isClustered = clusters.some((name) => name !== null);
  const cluster = isClustered ? (item: number) => clusters[item] ?? null : null;
  const graph = { links, size: items.length, cluster };
  return { columns: ordered(columns, graph), items, links, routes };
}

/** How many pairs of links cross between neighbouring columns. */
export function crossings(columns: Layers["columns"], links: Layers["links"]): number {
  const { place, columnOf } = places(columns);
  const byColumn: [number, number][][] = columns.map(() => []);
  for (const [left, right] of links) {
    byColumn[columnOf[left] as number]?.push([place[left] as number, place[right] as number]);
  }
  return byColumn.reduce((sum, pairs) => sum + inversions(pairs), 0);
}

type Ordering = {
  readonly links: Layers["links"];
  /** How many items there are. */
  readonly size: number;
  /** Null where nothing belongs together. */
  readonly cluster: ((item: number) => string | null) | null;
};

/** Keeps the best order of several sweeps: a sweep may also make things worse. */
function ordered(start: readonly (readonly number[])[], graph: Ordering): number[][] {
  const { links, size, cluster } = graph;
  const left: number[][] = Array.from({ length: size }, () => []);
  const right: number[][] = Array.from({ length: size }, () => []);
  for (const [a, b] of links) {
    right[a]?.push(b);
    left[b]?.push(a);
  }
  let current = start.map((column) => gathered(column, { cluster, wish: (_, index) => index }));
  let best = { columns: current, crossings: crossings(current, links) };
  const sweeps = Math.min(SWEEPS, Math.ceil(WORK_FOR_SWEEPS / Math.max(1, links.length)));
  for (let sweep = 0; sweep < sweeps && best.crossings > 0; sweep += 1) {
    current =
      sweep % 2 === 0
        ? sweepRight(current, left, cluster)
        : sweepRight(current.toReversed(), right, cluster).toReversed();
    const found = crossings(current, links);
    if (found < best.crossings) best = { columns: current, crossings: found };
  }
  return best.crossings === 0
    ? best.columns
    : swapped(best.columns, {
        left,
        right,
        mayPass: (a, b) => cluster === null || cluster(a) === cluster(b),
      });
}

/** Each column in turn is sorted by the mean place of its neighbours in the column before. */
function sweepRight(
  columns: readonly (readonly number[])[],
  before: readonly (readonly number[])[],
  cluster: Ordering["cluster"],
): number[][] {
  const place: number[] = [];
  const wish = (item: number, index: number) => {
    const neighbours = before[item] ?? [];
    return neighbours.length === 0 ? index : mean(neighbours.map((other) => place[other] as number));
  };
  return columns.map((column) => {
    const sorted = gathered(column, { cluster, wish });
    sorted.forEach((item, index) => {
      place[item] = index;
    });
    return sorted;
  });
}

type Wishes = {
  readonly cluster: Ordering["cluster"];
  readonly wish: (item: number, index: number) => number;
};

/** A column in the order of its wishes, where a cluster goes as one to the mean of what its members wish. */
function gathered(column: readonly number[], { cluster, wish }: Wishes): number[] {
  const wishes = new Map(column.map((item, index) => [item, wish(item, index)]));
  const by = (item: number) => wishes.get(item) as number;
  if (cluster === null) return [...column].sort((a, b) => by(a) - by(b));
  const members = new Map<string | number, number[]>();
  for (const item of column) {
    const key = cluster(item) ?? item;
    const list = members.get(key);
    if (list === undefined) members.set(key, [item]);
    else list.push(item);
  }
  return [...members.values()]
    .map((items) => ({ items: items.sort((a, b) => by(a) - by(b)), wish: mean(items.map(by)) }))
    .sort((a, b) => a.wish - b.wish)
    .flatMap(({ items }) => items);
}

function places(columns: Layers["columns"]): { place: number[]; columnOf: number[] } {
  const place: number[] = [];
  const columnOf: number[] = [];
  columns.forEach((column, c) => {
    column.forEach((item, index) => {
      place[item] = index;
      columnOf[item] = c;
    });
  });
  return { place, columnOf };
}

/** Pairs out of order, counted with a binary indexed tree: many edges must cost neither their square nor the stack. */
function inversions(pairs: [number, number][]): number {
  const sorted = pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const size = sorted.reduce((most, [, right]) => Math.max(most, right + 1), 1);
  const tree = new Array<number>(size + 1).fill(0);
  let found = 0;
  sorted.forEach(([, right], seen) => {
    let notBelow = 0;
    for (let i = right + 1; i > 0; i -= i & -i) notBelow += tree[i] as number;
    found += seen - notBelow;
    for (let i = right + 1; i <= size; i += i & -i) tree[i] = (tree[i] as number) + 1;
  });
  return found;
}

function uniqueLinks(routes: Layers["routes"]): [number, number][] {
  const seen = new Map<number, Set<number>>();
  const links: [number, number][] = [];
  for (const route of routes) {
    for (let i = 1; i < route.length; i += 1) {
      const [left, right] = [route[i - 1] as number, route[i] as number];
      const known = seen.get(left) ?? new Set();
      if (known.has(right)) continue;
      seen.set(left, known.add(right));
      links.push([left, right]);
    }
  }
  return links;
}

/** The largest of the values, `least` without any; there may be more of them than a call takes arguments. */
export function highest(values: readonly number[], least = 0): number {
  return values.reduce((most, value) => Math.max(most, value), least);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Neighbours in a column that cross each other less the other way round change places, until nothing gets better. */
type Swaps = {
  readonly left: readonly (readonly number[])[];
  readonly right: readonly (readonly number[])[];
  readonly mayPass: (above: number, below: number) => boolean;
};

const SWAP_ROUNDS = 8;
/** What swapping may cost, in pairs of links looked at. */
const MOST_WORK = 200_000;

function swapped(columns: readonly (readonly number[])[], swaps: Swaps): number[][] {
  const result = columns.map((column) => [...column]);
  const place: number[] = [];
  for (const column of result) for (const [index, item] of column.entries()) place[item] = index;
  const sorted = { left: byPlace(swaps.left, place), right: byPlace(swaps.right, place) };
  let work = MOST_WORK;
  const gain = (above: number, below: number): number => {
    let sum = 0;
    for (const side of [sorted.left, sorted.right]) {
      const [a, b] = [side(above), side(below)];
      work -= a.length + b.length;
      sum += inverted(a, b) - inverted(b, a);
    }
    return sum;
  };
  for (let round = 0, isBetter = true; round < SWAP_ROUNDS && isBetter && work > 0; round += 1) {
    isBetter = false;
    for (const column of result) {
      for (let i = 1; i < column.length && work > 0; i += 1) {
        const [above, below] = [column[i - 1] as number, column[i] as number];
        if (!swaps.mayPass(above, below) || gain(above, below) <= 0) continue;
        [column[i - 1], column[i]] = [below, above];
        [place[above], place[below]] = [i, i - 1];
        isBetter = true;
      }
    }
  }
  return result;
}

/** The places of an item's neighbours, lowest first, as they are now. */
function byPlace(neighbours: readonly (readonly number[])[], place: readonly number[]) {
  return (item: number): number[] =>
    (neighbours[item] ?? []).map((other) => place[other] as number).sort((a, b) => a - b);
}

/** How many pairs of the two sorted lists are out of order when the first stands above the second. */
function inverted(above: readonly number[], below: readonly number[]): number {
  let count = 0;
  let before = 0;
  for (const place of above) {
    while (before < below.length && (below[before] as number) < place) before += 1;
    count += before;
  }
  return count;
}
