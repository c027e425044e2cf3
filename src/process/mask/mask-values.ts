import { type Automaton, skip } from "./automaton.ts";

/** A stream that has something replaced. What may be the beginning of a find is kept back until more comes. */
export type MaskStream = {
  readonly push: (chunk: Buffer) => Buffer;
  readonly end: () => Buffer;
};

/** What stands where a secret was: no quote, no backslash, so that JSON around it stays JSON. */
export const MASK = Buffer.from("[masked]");

const NOTHING = Buffer.alloc(0);

type Region = { readonly from: number; readonly to: number };

/**
 * Replaces every occurrence of the needles. Where some overlap or touch, one mask stands for all. What is kept back is less
 * than the longest needle, so memory is bounded and a line that ends a chunk is seldom late.
 */
export function maskValues(automaton: Automaton): MaskStream {
  let state = 0;
  let kept = NOTHING;
  let regions: Region[] = []; // what is to be masked, as offsets from the first kept byte
  let afterMask = false; // the byte before the first kept one was masked

  /** Gives out the bytes before `end`, and keeps the rest with its regions. */
  function release(data: Buffer, end: number): Buffer {
    const parts: Buffer[] = [];
    let done = 0;
    for (const { from, to } of regions) {
      if (from >= end) break;
      parts.push(data.subarray(done, from));
      if (from > 0 || !afterMask) parts.push(MASK);
      done = Math.min(to, end);
      afterMask = true;
    }
    if (done < end) {
      parts.push(data.subarray(done, end));
      afterMask = false;
    }
    kept = end === data.length ? NOTHING : Buffer.from(data.subarray(end));
    regions = regions
      .filter(({ to }) => to > end)
      .map(({ from, to }) => ({ from: Math.max(0, from - end), to: to - end }));
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  return {
    push: (chunk) => {
      const data = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      state = scan({ automaton, data, state, from: kept.length }, regions);
      return release(data, data.length - (automaton.depth[state] as number));
    },
    end: () => {
      state = 0;
      return release(kept, kept.length);
    },
  };
}

type Scan = {
  readonly automaton: Automaton;
  readonly data: Buffer;
  readonly from: number;
  readonly state: number;
};

/** Notes what is found from here on; gives the state after the last byte. */
function scan({ automaton, data, from, state: before }: Scan, regions: Region[]): number {
  const { next, width, classOf, found } = automaton;
  let state = before;
  for (let i = from; i < data.length; ) {
    if (state === 0) i = skip(automaton, data, i);
    state = next[state * width + (classOf[data[i] as number] as number)] as number;
    i += 1;
    const length = found[state] as number;
    if (length > 0) cover(regions, { from: i - length, to: i });
  }
  return state;
}

/** A find ends later than all before it, but may begin before them. */
function cover(regions: Region[], { from, to }: Region): void {
  let first = from;
  for (let last = regions.at(-1); last && last.to >= first; last = regions.at(-1)) {
    first = Math.min(first, last.from);
    regions.pop();
  }
  regions.push({ from: first, to });
}
