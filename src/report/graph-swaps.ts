/** Neighbours in a column that cross each other less the other way round change places, until nothing gets better. */
export type Swaps = {
  readonly left: readonly (readonly number[])[];
  readonly right: readonly (readonly number[])[];
  readonly mayPass: (above: number, below: number) => boolean;
};

const ROUNDS = 8;
/** What swapping may cost, in pairs of links looked at. */
const MOST_WORK = 200_000;

export function swapped(columns: readonly (readonly number[])[], swaps: Swaps): number[][] {
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
  for (let round = 0, isBetter = true; round < ROUNDS && isBetter && work > 0; round += 1) {
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
