import type { Automaton } from "./automaton.ts";
import { type Find, type FindSecrets, findSecrets, NO_RUNS } from "./find-secrets.ts";

/** A stream that has something replaced. What may be the beginning of a find is kept back until more comes. */
export type MaskStream = {
  readonly push: (chunk: Buffer) => Buffer;
  readonly end: () => Buffer;
};

/** What stands where a secret was: no quote, no backslash, so that JSON around it stays JSON. */
const MASK = Buffer.from("[masked]");

const NOTHING = Buffer.alloc(0);
const NEWLINE = 10;
/** Kept back at most: a secret with more between two of its letters is nothing that anybody reads. */
const MOST_KEPT = 16_384;

export type MaskOptions = {
  readonly find?: FindSecrets;
  readonly onFind?: (find: Find) => void;
};

type Region = { from: number; to: number };

/**
 * Replaces every find. Where some overlap or touch, one mask stands for all. Line breaks inside stay: a masked private key must not
 * make one line of several events. What is kept back is less than the longest needle and what is hidden in it, so memory is
 * bounded and a line that ends a chunk is seldom late.
 */
export function maskStream(
  automaton: Automaton,
  { find = findSecrets, onFind }: MaskOptions = {},
): MaskStream {
  let kept = NOTHING;
  let regions: Region[] = []; // what is to be masked, as offsets from the first kept byte
  let open = NO_RUNS; // likewise
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
      keepLineBreaks(data, from, done, parts);
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

  function pass(chunk: Buffer, isLast: boolean): Buffer {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    const search = find(automaton, { bytes, isLast, open });
    for (const one of search.finds) onFind?.(one);
    regions = cover(regions, search.finds);
    const end = isLast ? bytes.length : Math.max(search.decided, bytes.length - MOST_KEPT);
    const moved = <T extends { readonly from: number }>(all: readonly T[]): T[] =>
      all.map((one) => ({ ...one, from: Math.max(0, one.from - end) }));
    open =
      search.open.plain.length + search.open.visible.length === 0
        ? NO_RUNS
        : { plain: moved(search.open.plain), visible: moved(search.open.visible) };
    return release(bytes, end);
  }

  return { push: (chunk) => pass(chunk, false), end: () => pass(NOTHING, true) };
}

/** In their order, none of them touching another. */
function cover(before: readonly Region[], finds: readonly Find[]): Region[] {
  if (finds.length === 0) return [...before];
  const all = [...before, ...finds].sort((a, b) => a.from - b.from);
  const regions: Region[] = [];
  for (const { from, to } of all) {
    const last = regions.at(-1);
    if (last !== undefined && last.to >= from) last.to = Math.max(last.to, to);
    else regions.push({ from, to });
  }
  return regions;
}

function keepLineBreaks(data: Buffer, from: number, to: number, parts: Buffer[]): void {
  for (let at = data.indexOf(NEWLINE, from); at !== -1 && at < to; at = data.indexOf(NEWLINE, at + 1)) {
    parts.push(data.subarray(at, at + 1));
  }
}
