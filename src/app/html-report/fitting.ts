import type { AgentEvent } from "../../agents/event.ts";
import type { EpochMs } from "../../core/facts.ts";
import { scriptJson } from "../../report/page/html.ts";
import type { TranscriptEntry } from "../../report/page/wire.ts";
import { LEFT_OUT, type Share } from "./share.ts";

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

function takenFrom(costs: readonly number[], room: number): number {
  let left = room;
  const end = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return end === -1 ? costs.length : end;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
