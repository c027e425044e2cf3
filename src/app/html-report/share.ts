// Room in a file, shared fairly by many texts: each gets a little before any gets everything, and what is left goes to the first of
// them. No more is in memory than the file will hold, and what is being read (I10).

/** Something that may stand in the file, in part or not at all. */
export type Item<T> = {
  /** The most that it may take, in bytes of the file. */
  readonly most: number;
  readonly read: (most: number) => Promise<Share<T>>;
};

export type Share<T> = {
  /** Null where nothing of it is there. */
  readonly value: T | null;
  /** What it takes. */
  readonly bytes: number;
  readonly state: "whole" | "cut" | "left-out";
};

export const LEFT_OUT = { value: null, bytes: 0, state: "left-out" } as const;

/** What everybody gets at first; with less than the least of it nothing can be said. */
const FIRST_BYTES = 8 * 1024;
const LEAST_BYTES = 400;
const AT_ONCE = 4;

/** In the order of the items, which is that of their importance. */
export async function shareOut<T>(items: readonly Item<T>[], total: number): Promise<Share<T>[]> {
  const first = Math.min(FIRST_BYTES, Math.max(LEAST_BYTES, Math.floor(total / Math.max(1, items.length))));
  const served = items.slice(0, Math.max(0, Math.floor(total / first)));
  const shares = await inOrder(served, ({ most, read }) => read(Math.min(first, most)));
  let left = total - shares.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [i, { most, read }] of served.entries()) {
    const before = shares[i] as Share<T>; // one for each
    if (before.state === "whole" || before.bytes + left <= first) continue;
    const share = await read(Math.min(most, before.bytes + left));
    if (share.state === "left-out") continue;
    shares[i] = share;
    left += before.bytes - share.bytes;
  }
  return items.map((_, i) => shares[i] ?? LEFT_OUT);
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
