// Room in a file, shared fairly by many texts: each gets a little before any gets everything, and what is left goes to the first of
// them. No more is in memory than the file will hold, and what is being read (I10).

import type { AgentEvent } from "../../agents/event.ts";
import type { EpochMs } from "../../core/facts.ts";
import { scriptJson } from "../../report/page/html.ts";
import type { TranscriptEntry } from "../../report/page/wire.ts";

/** Something that may stand in the file, in part or not at all. */
export type Item<T> = {
  /** The most that it may take, in bytes of the file. */
  readonly most: number;
  readonly read: (most: number) => Promise<Share<T>>;
};

export type Share<T> = {
  /** Null where nothing of it is there. */
  readonly value: T | null;
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

/** What a value takes in the file: a text of escapes and brackets takes several times its own length. */
export const costOf = (value: unknown): number => Buffer.byteLength(scriptJson(value));

const MOST_TRIES = 6;

/** Reads less and less until it fits. `read` is told how many bytes of the source it may have. */
export async function fitting<T>(
  most: number,
  read: (bytes: number) => Promise<T>,
  isCut: (value: T) => boolean,
): Promise<Share<T>> {
  let bytes = most;
  for (let tries = 0; tries < MOST_TRIES && bytes > 0; tries += 1) {
    const value = await read(bytes);
    const cost = costOf(value);
    if (cost <= most) return { value, bytes: cost, state: isCut(value) ? "cut" : "whole" };
    bytes = Math.floor(((bytes * most) / cost) * 0.95);
  }
  return LEFT_OUT;
}

type Cut = Extract<TranscriptEntry, { kind: "cut" }>;

/** The first entries say what it set out to do, the last how it came out. */
export function fittingEntries(
  entries: readonly TranscriptEntry[],
  most: number,
): Share<readonly TranscriptEntry[]> {
  const costs = entries.map((entry) => costOf(entry) + 1);
  const whole = sum(costs) + 2;
  if (whole <= most) return { value: entries, bytes: whole, state: "whole" };
  const room = most - costOf(cutEntry(0, Number.MAX_SAFE_INTEGER)) - 3;
  const head = takenFrom(costs, room / 4);
  const tail = takenFrom([...costs].reverse(), room - sum(costs.slice(0, head)));
  if (head + tail === 0) return LEFT_OUT;
  const [from, to] = [head, entries.length - tail];
  const cut = cutEntry(entries[from]?.at ?? 0, sum(costs.slice(from, to)));
  const value = [...entries.slice(0, from), cut, ...entries.slice(to)];
  return { value, bytes: costOf(value), state: "cut" };
}

/** The others could be taken for the words of an agent. */
const cutEntry = (at: EpochMs, bytes: number): Cut => ({
  at,
  kind: "cut" satisfies Exclude<Cut["kind"], AgentEvent["kind"]>,
  bytes,
});

export function takenFrom(costs: readonly number[], room: number): number {
  let left = room;
  const end = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return end === -1 ? costs.length : end;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
